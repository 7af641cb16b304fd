import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';

import { listsTag } from '../common/http/entity-tags.js';
import { parseRangeHeader } from './byte-range.js';
import type { ByteRange, ObjectBody, ObjectHead, ObjectStore } from './object-store.js';
import { InvalidObjectKey, ObjectNotFound, RangeNotSatisfiable, StorageError } from './storage.errors.js';
import { type SigningScope, type UrlVerdict, verifySignedUrl } from './signed-url.js';

/** A store whose presigned URLs lead to this server, and what the signatures of these URLs cover. */
export interface ServedStore extends SigningScope {
  readonly store: ObjectStore;
}

export interface DataServerOptions {
  /**
   * The local store, or S3 stores whose access endpoint is a path of this service. A proxy in front may serve those
   * instead.
   */
  readonly stores: readonly ServedStore[];
  /** Path the server is mounted on, with both slashes: `/data/`. */
  readonly publicPath: string;
  readonly now: () => Date;
}

/** A player on any page may read what its URL was signed for. The signature is the access check, as on S3. */
const CORS = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': 'Accept-Ranges, Content-Length, Content-Range, ETag, Last-Modified',
};
const PREFLIGHT = {
  ...CORS,
  'Access-Control-Allow-Methods': 'GET, HEAD, OPTIONS',
  'Access-Control-Allow-Headers': 'Range, If-Range, If-None-Match, If-Match, If-Modified-Since, Cache-Control',
  'Access-Control-Max-Age': '86400',
};
/**
 * Archived bytes come from strangers and are served from the API's own origin. Browsers must not run them or guess
 * types.
 */
const SAFE = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "sandbox; default-src 'none'",
  'Cross-Origin-Resource-Policy': 'cross-origin',
};
/** Objects hardly ever change. But a deleted one should not live on in caches for the week that its URL is valid. */
const MAX_CACHE_SECONDS = 86_400;

/**
 * Serves presigned URLs on the API's own host as an S3 server would: GET and HEAD with one range or suffix range (RFC
 * 9110 §14), `If-Range`, `If-None-Match`, `If-Match`, and CORS. Errors are `{"detail": …}`: 403 `signature_expired` or
 * `invalid_signature`, 404 `file_not_found`, 405, 412, 416, 503 `storage_unavailable`.
 */
export class DataServer {
  constructor(private readonly options: DataServerOptions) {}

  /**
   * Resolves when the response is over, also after an abort.
   * @param target the request's path and query as sent
   */
  async handle(req: IncomingMessage, res: ServerResponse, target = req.url ?? ''): Promise<void> {
    if (req.method === 'OPTIONS') {
      res.writeHead(204, PREFLIGHT).end();
      return;
    }
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      refuse(res, 405, 'Method Not Allowed', { Allow: 'GET, HEAD, OPTIONS' });
      return;
    }
    const { key, query } = this.parse(target);
    const { verdict, store } = this.judge(key, query);
    if (!verdict.valid || !store || key === null) {
      refuse(res, 403, verdict.valid ? 'invalid_signature' : verdict.detail);
      return;
    }
    const secondsLeft = Math.floor((verdict.expiresAt.getTime() - this.options.now().getTime()) / 1000);
    res.setHeader('Cache-Control', `private, max-age=${Math.min(secondsLeft, MAX_CACHE_SECONDS)}`);
    await this.answer({ req, res, store, key });
  }

  /** Finds the store whose signature the query carries. An expired signature is told apart from a wrong one. */
  private judge(key: string | null, query: URLSearchParams): { verdict: UrlVerdict; store?: ObjectStore } {
    let verdict: UrlVerdict = { valid: false, detail: 'invalid_signature' };
    if (key === null) return { verdict };
    for (const served of this.options.stores) {
      const own = verifySignedUrl(served, key, query, this.options.now());
      if (own.valid) return { verdict: own, store: served.store };
      if (own.detail === 'signature_expired') verdict = own;
    }
    return { verdict };
  }

  /** Splits the target. `key` is null when the path cannot be the path of an object. */
  private parse(target: string): { key: string | null; query: URLSearchParams } {
    const mark = target.indexOf('?');
    const path = mark < 0 ? target : target.slice(0, mark);
    const query = new URLSearchParams(mark < 0 ? '' : target.slice(mark + 1));
    if (!path.startsWith(this.options.publicPath)) return { key: null, query };
    try {
      return { key: decodeURIComponent(path.slice(this.options.publicPath.length)), query };
    } catch {
      return { key: null, query }; // malformed percent-encoding
    }
  }

  private async answer(request: DataRequest): Promise<void> {
    const { req, res } = request;
    const abort = new AbortController();
    res.once('close', () => abort.abort());
    try {
      if (req.method === 'HEAD') await this.answerHead(request);
      else await this.answerGet(request, abort.signal);
    } catch (error) {
      if (res.destroyed || abort.signal.aborted) return;
      if (res.headersSent) res.destroy();
      else answerFailure(res, error);
    }
  }

  private async answerHead({ req, res, store, key }: DataRequest): Promise<void> {
    const head = await store.head(key);
    if (!head) throw new ObjectNotFound(key);
    const status = conditionStatus(req, head);
    res.writeHead(status ?? 200, { ...objectHeaders(head), ...(status ? {} : { 'Content-Length': head.size }) }).end();
  }

  private async answerGet(request: DataRequest, signal: AbortSignal): Promise<void> {
    const { req, res } = request;
    const object = await this.open(request, signal);
    const status = conditionStatus(req, object);
    if (status) {
      object.body.destroy();
      res.writeHead(status, objectHeaders(object)).end();
      return;
    }
    const partial = object.range !== undefined;
    const end = object.start + object.length - 1;
    res.writeHead(partial ? 206 : 200, {
      ...objectHeaders(object),
      'Content-Length': object.length,
      ...(partial ? { 'Content-Range': `bytes ${object.start}-${end}/${object.size}` } : {}),
    });
    await pipeline(object.body, res);
  }

  /**
   * Opens the requested range. Everything is opened without a range, or when `If-Range` names another version (RFC 9110
   * §13.1.5).
   */
  private async open(
    { req, store, key }: DataRequest,
    signal: AbortSignal,
  ): Promise<ObjectBody & { range?: ByteRange }> {
    const range = parseRangeHeader(req.headers.range);
    const ifRange = req.headers['if-range'];
    if (range && typeof ifRange === 'string') {
      const head = await store.head(key);
      if (!head || !isSameVersion(ifRange, head)) return store.get(key, { signal });
    }
    return { ...(await store.get(key, { range, signal })), range };
  }
}

interface DataRequest {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly store: ObjectStore;
  readonly key: string;
}

function objectHeaders(head: ObjectHead): Record<string, string> {
  return {
    ...CORS,
    ...SAFE,
    'Accept-Ranges': 'bytes',
    'Content-Type': head.contentType,
    ETag: head.etag,
    'Last-Modified': head.lastModified.toUTCString(),
  };
}

/** 412 or 304 where the request's conditions say so (RFC 9110 §13.2.2), else undefined. */
function conditionStatus(req: IncomingMessage, head: ObjectHead): number | undefined {
  const match = req.headers['if-match'];
  if (match !== undefined && !listsTag(match, head.etag)) return 412;
  const none = req.headers['if-none-match'];
  if (none !== undefined) return listsTag(none, head.etag) ? 304 : undefined;
  const since = Date.parse(req.headers['if-modified-since'] ?? '');
  return since >= wholeSeconds(head.lastModified) ? 304 : undefined;
}

function isSameVersion(validator: string, head: ObjectHead): boolean {
  if (validator.startsWith('"')) return validator === head.etag;
  return Date.parse(validator) === wholeSeconds(head.lastModified);
}

function wholeSeconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1000) * 1000;
}

function answerFailure(res: ServerResponse, error: unknown): void {
  if (error instanceof RangeNotSatisfiable) {
    refuse(res, 416, 'Range Not Satisfiable', { 'Content-Range': `bytes */${error.sizeBytes}` });
  } else if (error instanceof ObjectNotFound || error instanceof InvalidObjectKey) {
    refuse(res, 404, 'file_not_found');
  } else if (error instanceof StorageError) {
    refuse(res, 503, 'storage_unavailable');
  } else {
    throw error;
  }
}

function refuse(res: ServerResponse, status: number, detail: string, headers: Record<string, string> = {}): void {
  const body = JSON.stringify({ detail });
  res.writeHead(status, {
    ...CORS,
    ...headers,
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
  });
  res.end(body);
}
