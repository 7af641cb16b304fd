import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request to the test site, its body read. */
export interface SiteRequest {
  req: IncomingMessage;
  res: ServerResponse;
  url: URL;
  body: Buffer;
}

export type Handler = (request: SiteRequest) => void;

/** In order: the first that fits a path answers. */
export type Routes = [string | RegExp, Handler][];

export const HTML = 'text/html; charset=utf-8';

export function json(res: ServerResponse, value: unknown): void {
  send(res, 'application/json', JSON.stringify(value), 200, { 'access-control-allow-origin': '*' });
}

export function send(
  res: ServerResponse,
  type: string,
  body: string | Buffer,
  status = 200,
  headers: Record<string, string> = {},
): void {
  res.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body), ...headers });
  res.end(body);
}

/** Sends the text again and again, without an end. */
export function drip(res: ServerResponse, type: string, text: string, everyMs = 500): void {
  res.writeHead(200, { 'content-type': type });
  res.write(text);
  const timer = setInterval(() => res.write(text), everyMs);
  res.on('close', () => clearInterval(timer));
}
