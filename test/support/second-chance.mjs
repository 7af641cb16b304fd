/**
 * Tests that start browsers, crawlers, clusters and kill processes depend on what else the machine does in that second.
 * They get a second chance, and what went wrong the first time is printed; all other tests have one.
 */
import { expect, jest } from '@jest/globals';

if (/\/test\/(e2e|conformance)\//.test(expect.getState().testPath ?? ''))
  jest.retryTimes(1, { logErrorsBeforeRetry: true });
