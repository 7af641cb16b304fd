import { Logger } from '@nestjs/common';
import type { Request, Response } from 'express';
import { uncountedProxy } from './uncounted-proxy.js';

describe('a proxy in front that no setting counts', () => {
  const lines: unknown[] = [];
  beforeAll(() => {
    const ignore = (): void => undefined;
    Logger.overrideLogger({ log: ignore, error: ignore, warn: (line: unknown) => lines.push(line) });
  });
  afterAll(() => Logger.overrideLogger(true));

  it('is told of once, with the setting that counts it, and stops no request', () => {
    const watch = uncountedProxy();
    let passed = 0;
    for (const headers of [{}, { 'x-forwarded-for': '192.0.2.1' }, { 'x-forwarded-for': '192.0.2.2' }])
      watch({ headers } as unknown as Request, {} as Response, () => passed++);
    expect(passed).toBe(3);
    expect(lines).toEqual([expect.objectContaining({ event: 'proxy_not_counted', setting: 'TRUSTED_PROXY_HOPS' })]);
  });
});
