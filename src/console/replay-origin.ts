import type { NextFunction, Request, Response } from 'express';
import { addressOf } from '../common/http/request-address.js';
import type { AppConfig } from '../config/app-config.js';

type Http = Pick<AppConfig['http'], 'replayOrigin' | 'replayPort'>;

/**
 * What the replay origin answers: the player, what the player reads of one archive, and stored files. Archived scripts
 * run there, so nothing else of the API does (docs/adr/0040-replay-on-an-origin-of-its-own.md).
 */
const OPEN = [
  /^\/replay\//,
  /^\/replay-page\//,
  /^\/data\//,
  /^\/healthz$/,
  /^\/favicon\.ico$/,
  /^\/api\/orgs\/[^/]+\/(all-crawls|crawls|uploads|collections)\/[^/]+(\/qa\/[^/]+)?(\/public)?\/(replay\.json|pages|pagesSearch)$/,
];
const READS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** The origin on which a reader of this request's address finds the player; null where replay has none of its own. */
export function replayOriginOf(request: Request, { replayOrigin, replayPort }: Http): string | null {
  if (replayOrigin) return replayOrigin;
  if (replayPort === 0) return null;
  const url = new URL(addressOf(request).own ?? 'http://127.0.0.1');
  url.port = String(replayPort);
  return url.origin;
}

/** An origin is a scheme, `//` and a host, which every request is compared with. */
const hostOf = (origin: string): string => origin.slice(origin.indexOf('//') + 2);

/** Whether a request was sent to the replay origin: by the host it names, or by the port it came in on. */
export function isForReplay(request: Request, { replayOrigin, replayPort }: Http): boolean {
  if (replayPort !== 0 && request.socket.localPort === replayPort) return true;
  return replayOrigin !== '' && request.headers.host?.toLowerCase() === hostOf(replayOrigin);
}

/** Answers 404 to all that archived scripts need not reach. It stands before every route. */
export function onlyReplay(http: Http): (request: Request, response: Response, next: NextFunction) => void {
  return (request, response, next) => {
    if (!isForReplay(request, http)) return next();
    if (READS.has(request.method) && OPEN.some((path) => path.test(request.path))) return next();
    response.status(404).json({ detail: 'Not Found' });
  };
}
