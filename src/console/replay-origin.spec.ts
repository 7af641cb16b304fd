import type { NextFunction, Request, Response } from 'express';
import { isForReplay, onlyReplay, replayOriginOf } from './replay-origin.js';

const NONE = { replayOrigin: '', replayPort: 0 };
const PORT = { replayOrigin: '', replayPort: 8001 };
const HOST = { replayOrigin: 'https://replay.archive.example', replayPort: 0 };

interface Asked {
  readonly host?: string;
  readonly localPort?: number;
  readonly method?: string;
  readonly path?: string;
}
const request = ({ host = 'archive.example:8000', localPort = 8000, method = 'GET', path = '/' }: Asked): Request =>
  ({ headers: { host }, protocol: 'http', socket: { localPort }, method, path }) as unknown as Request;

describe('the replay origin', () => {
  it('is none without a setting, the port of the host that was asked, or the one that is set', () => {
    expect(replayOriginOf(request({}), NONE)).toBeNull();
    expect(replayOriginOf(request({}), PORT)).toBe('http://archive.example:8001');
    expect(replayOriginOf(request({ host: '[::1]:8000' }), PORT)).toBe('http://[::1]:8001');
    expect(replayOriginOf(request({}), HOST)).toBe('https://replay.archive.example');
  });

  it('is asked by the port that a request came in on, whatever host it names, or by its host', () => {
    expect(isForReplay(request({ localPort: 8001 }), PORT)).toBe(true);
    expect(isForReplay(request({ host: 'archive.example:8001' }), PORT)).toBe(false);
    expect(isForReplay(request({ host: 'REPLAY.archive.example' }), HOST)).toBe(true);
    expect(isForReplay(request({}), HOST)).toBe(false);
    expect(isForReplay(request({}), NONE)).toBe(false);
  });

  /** 200 for what is let through to the routes. */
  function answer(asked: Asked): number {
    let status = 0;
    const response = { status: (code: number) => ((status = code), { json: () => undefined }) };
    const next: NextFunction = () => void (status = 200);
    onlyReplay(PORT)(request(asked), response as unknown as Response, next);
    return status;
  }
  const replay = (path: string, method = 'GET') => answer({ localPort: 8001, path, method });

  it.each([
    '/replay/',
    '/replay/sw.js',
    '/data/bucket/org/a.wacz',
    '/healthz',
    '/api/orgs/o/all-crawls/i/replay.json',
    '/api/orgs/o/crawls/i/pages',
    '/api/orgs/o/crawls/i/qa/q/replay.json',
    '/api/orgs/o/collections/c/pagesSearch',
    '/api/orgs/o/collections/c/public/replay.json',
  ])('answers %s', (path) => expect([replay(path), replay(path, 'HEAD')]).toEqual([200, 200]));

  it.each([
    '/',
    '/login',
    '/o/org/items',
    '/api/users/me',
    '/api/auth/jwt/login',
    '/api/auth/jwt/replay',
    '/api/settings',
    '/api/orgs/o/all-crawls',
    '/api/orgs/o/all-crawls/i',
    '/api/orgs/o/all-crawls/i/download',
    '/api/orgs/o/all-crawls/i/replay.json/x',
    '/api/orgs/o/profiles/p/replay.json',
    '/browser/b/',
    '/assets/index.js',
  ])('has no %s', (path) => expect(replay(path)).toBe(404));

  it('takes no writes, and leaves the other origin alone', () => {
    expect(replay('/api/orgs/o/all-crawls/i/replay.json', 'POST')).toBe(404);
    expect(replay('/replay/', 'DELETE')).toBe(404);
    expect(answer({ path: '/api/users/me' })).toBe(200);
  });
});
