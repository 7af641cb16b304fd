import http, { type ClientRequest, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { TLSSocket } from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';

import { StorageUnavailable } from '../storage.errors.js';
import { slices } from '../digest.js';
import { toStorageError } from './s3-errors.js';
import { PART_BYTES } from './s3-parts.js';

/** S3's limit for one request is 5 GiB; some servers keep a little of it for themselves. */
const MAX_STREAMED_BYTES = 5e9;
/** Waits before the second and the third attempt. The SDK gives other requests the same number of attempts. */
const WAITS_MS = [100, 200];
/** A server that has said nothing by then may not know `Expect`, and gets the body. */
const CONTINUE_MS = 1000;
/** Length, in characters, up to which an answer is read. A few lines tell what went wrong. */
const MAX_ANSWER_CHARS = 64 * 1024;

/** Whether a body of this certain size is passed on as it comes. A body that fits into a part is better sent again. */
export function isStreamable(size: number | undefined): size is number {
  return size !== undefined && size > PART_BYTES && size <= MAX_STREAMED_BYTES;
}

type Chunks = AsyncIterable<Buffer> | Iterable<Buffer>;

export interface StreamedPut {
  readonly key: string;
  /** Makes a presigned URL; each attempt gets one of its own. */
  readonly url: () => string;
  readonly contentType?: string;
  readonly size: number;
  readonly agent: http.Agent;
  readonly timeouts: { connectMs: number; idleMs: number };
  readonly signal?: AbortSignal;
}

/**
 * Sends one request whose body is passed on as it comes. No part of the body is kept, hashed for its signature, or put
 * together by the server. The price is that the body cannot be sent twice: the request is tried again only while the
 * server has not asked for the first byte. There is no limit to how long it takes as long as bytes move.
 * @returns the ETag
 * @throws StorageError, the signal's reason, or the body's own error
 */
export function putStreamed(put: StreamedPut, chunks: AsyncIterable<Buffer>): Promise<string> {
  return attempted(put, () => chunks, false);
}

/** Sends bytes that are at hand in the same way. They are sent again until the server takes them. */
export function putBytes(put: Omit<StreamedPut, 'size'>, bytes: readonly Buffer[]): Promise<string> {
  const size = bytes.reduce((sum, { length }) => sum + length, 0);
  return attempted({ ...put, size }, () => slicesOf(bytes), true);
}

function* slicesOf(bytes: readonly Buffer[]): Generator<Buffer> {
  for (const piece of bytes) yield* slices(piece);
}

async function attempted(put: StreamedPut, body: () => Chunks, isRepeatable: boolean): Promise<string> {
  for (let attempt = 0; ; attempt++) {
    put.signal?.throwIfAborted();
    const exchange = new Exchange(put);
    try {
      return await exchange.run(body());
    } catch (error) {
      put.signal?.throwIfAborted();
      if (exchange.bodyFailed) throw error;
      const failure = toStorageError(put.key, error);
      const wait = WAITS_MS[attempt];
      const isOver = wait === undefined || (exchange.isBodyTaken && !isRepeatable);
      if (isOver || !(failure instanceof StorageUnavailable)) throw failure;
      await sleep(wait, undefined, { signal: put.signal });
    }
  }
}

class Exchange {
  /** Some of the body was read, so it is not whole any more. */
  isBodyTaken = false;
  bodyFailed = false;
  /** The body has to deliver the next bytes, so a silent connection is not the server's fault. */
  private awaitsBody = false;
  private readonly over = new AbortController();
  private readonly request: ClientRequest;

  constructor(private readonly put: StreamedPut) {
    const { url, contentType, size, agent } = put;
    const headers = {
      ...(contentType === undefined ? {} : { 'Content-Type': contentType }),
      'Content-Length': size,
      Expect: '100-continue',
    };
    const target = new URL(url());
    this.request = (target.protocol === 'https:' ? https : http).request(target, { method: 'PUT', agent, headers });
  }

  /** @returns the ETag */
  async run(chunks: Chunks): Promise<string> {
    let isComplete = false;
    try {
      const answered = this.answer();
      if (await this.isBodyWanted(answered)) {
        const sent = this.send(chunks);
        // An answer before the end of the body is a refusal.
        await Promise.race([answered, sent]);
      }
      const response = await answered;
      const text = await textOf(response);
      isComplete = this.request.writableFinished;
      if (response.statusCode !== 200) throw refusal(response.statusCode ?? 0, text);
      if (!isComplete) throw new StorageUnavailable('the object storage answered before the end of the body');
      return response.headers.etag ?? '';
    } finally {
      this.over.abort();
      if (!isComplete) this.breakOff();
    }
  }

  /** Rejects when the connection fails, falls silent, or the signal aborts. */
  private answer(): Promise<IncomingMessage> {
    const { signal, timeouts } = this.put;
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      const late = setTimeout(() => reject(new StorageUnavailable('no connection in time')), timeouts.connectMs);
      const isConnected = (): void => clearTimeout(late);
      this.over.signal.addEventListener('abort', isConnected, { once: true });
      this.request.once('socket', (socket) => {
        if (socket.connecting) socket.once('connect', isConnected);
        else isConnected();
      });
      this.request.once('response', resolve);
      // The listener stays, because a request that is broken off emits an error.
      this.request.on('error', reject);
      this.request.setTimeout(timeouts.idleMs, () => {
        if (!this.awaitsBody) reject(new StorageUnavailable(`nothing moved for ${timeouts.idleMs} ms`));
      });
      signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true, signal: this.over.signal });
      this.request.flushHeaders();
    });
    // The answer may fail while the body is waited for.
    answered.catch(() => undefined);
    return answered;
  }

  private async isBodyWanted(answered: Promise<IncomingMessage>): Promise<boolean> {
    const wait = new AbortController();
    const wanted = new Promise<boolean>((resolve) => this.request.once('continue', () => resolve(true)));
    const silent = sleep(CONTINUE_MS, true, { signal: wait.signal }).catch(() => true);
    try {
      return await Promise.race([wanted, silent, answered.then(() => false)]);
    } finally {
      wait.abort();
    }
  }

  /** Resolves when the last byte is handed over. Rejects when the body fails. */
  private async send(chunks: Chunks): Promise<void> {
    const { request, over } = this;
    let goOn = (): void => undefined;
    request.on('drain', () => goOn());
    over.signal.addEventListener('abort', () => goOn(), { once: true });
    this.isBodyTaken = true;
    this.awaitsBody = true;
    try {
      for await (const chunk of chunks) {
        if (over.signal.aborted) return;
        this.awaitsBody = false;
        if (!request.write(chunk)) await new Promise<void>((resolve) => (goOn = resolve));
        this.awaitsBody = true;
      }
    } catch (error) {
      this.bodyFailed = true;
      throw error;
    }
    this.awaitsBody = false;
    request.end();
  }

  /**
   * Ends the connection, with a reset where that is possible. Some servers (versitygw is one) take the orderly end of a
   * connection for the end of the body, and store an object that is cut off. A connection that is being ended already,
   * because its answer said so, cannot be reset any more: the handle would never close.
   */
  private breakOff(): void {
    const { socket } = this.request;
    const canReset = socket && !socket.connecting && !socket.writableEnded && !(socket instanceof TLSSocket);
    if (canReset) socket.resetAndDestroy();
    this.request.destroy();
  }
}

async function textOf(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
    if (text.length < MAX_ANSWER_CHARS) text += chunk;
  }
  return text;
}

/** The refusal has the shape of the SDK's failures, so that `toStorageError` can translate it. */
function refusal(status: number, text: string): Error {
  const [, code] = /<Code>([\w.]{1,100})<\/Code>/.exec(text) ?? [];
  return Object.assign(new Error('refused'), { Code: code ?? 'refused', $metadata: { httpStatusCode: status } });
}

/** The beginning of a body, and how to read the whole of it from the start. */
export interface Opening {
  /** Milliseconds that the first part took to arrive. */
  readonly tookMs: number;
  readonly whole: AsyncIterable<Buffer>;
}

/** Reads one part's worth of the body. A failure is the body's own error. */
export async function openingOf(chunks: AsyncIterable<Buffer>): Promise<Opening> {
  const begun = performance.now();
  const iterator = chunks[Symbol.asyncIterator]();
  const first: Buffer[] = [];
  for (let bytes = 0; bytes < PART_BYTES;) {
    const next = await iterator.next();
    if (next.done) break;
    first.push(next.value);
    bytes += next.value.length;
  }
  return { tookMs: performance.now() - begun, whole: resumed(first, iterator) };
}

async function* resumed(first: Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    for (let chunk = first.shift(); chunk; chunk = first.shift()) yield chunk;
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}
