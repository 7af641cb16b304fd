import type { Response } from 'express';
import type { AuthedRequest } from '../access/access.js';
import { JsonLogger } from './json-logger.js';
import { currentRequest, openScope, outsideRequests } from './request-scope.js';

/** Opens a request that came with this id. @returns the id that its answer has */
function opened(given: string | undefined, work: () => void): string {
  const headers: Record<string, string> = {};
  const request = { headers: given === undefined ? {} : { 'x-request-id': given }, ip: '192.0.2.7' };
  const response = { setHeader: (name: string, value: string) => (headers[name] = value) };
  openScope(request as unknown as AuthedRequest, response as unknown as Response, work);
  return headers['X-Request-Id'] ?? '';
}

/** What the logger writes meanwhile. */
function written(work: (logger: JsonLogger) => void): string {
  const { stderr } = process;
  const before = stderr.write.bind(stderr);
  let text = '';
  stderr.write = ((line: string) => ((text += line), true)) as typeof stderr.write;
  try {
    work(new JsonLogger({ format: 'text', level: 'info' }));
  } finally {
    stderr.write = before;
  }
  return text;
}

describe('a request', () => {
  it('keeps the id that it came with, if that is one', () => {
    expect(opened('abc.DEF_12-3', () => undefined)).toBe('abc.DEF_12-3');
    for (const bad of [undefined, 'short', 'a b c d e f', 'line\nbreak', 'x'.repeat(65)])
      expect(opened(bad, () => undefined)).toMatch(/^[\da-f]{8}-[\da-f-]{27}$/);
  });

  it('is found by what runs within it, and in the lines of the log', async () => {
    let later: Promise<string | undefined> | undefined;
    const text = written((logger) => {
      logger.warn({ event: 'outside' });
      opened('within-the-request', () => {
        logger.warn({ event: 'inside' });
        later = Promise.resolve().then(() => currentRequest()?.address);
        outsideRequests(() => logger.warn({ event: 'let_go' }));
      });
    });
    expect(await later).toBe('192.0.2.7');
    const lines = text.split('\n').filter((line) => line.includes('requestId=within-the-request'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('inside');
    expect(text).toMatch(/outside[^]*let_go/);
  });
});
