import type { IncomingMessage } from 'node:http';
import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import pLimit, { type LimitFunction } from 'p-limit';
import type { AuthedRequest } from '../access/access.js';
import { DomainError } from '../errors/domain-error.js';
import { seconds } from '../units/durations.js';
import { clientOf } from './request-address.js';

/** Most unfinished bodies per client that are read whole. A small body comes with its head and does not count. */
const MOST_PER_CLIENT = 64;
/** Most of these that may be large and in memory at once. Further ones wait on their sockets. */
const MOST_LARGE_PER_CLIENT = 4;
/** A body that is read whole must arrive within this many silences, even if bytes keep dripping. */
const SILENCES_OF_WHOLE = 5;
/** A streamed body may pause this much longer, so that an upload survives a broken link. */
const SILENCES_OF_STREAM = 10;
/** How long a refused client may go on sending before the connection ends: enough to read the answer. */
const LINGER_MS = seconds(10);
const RETRY_AFTER_SECONDS = '5';

class BodyTimeout extends DomainError {
  readonly kind = 'request-timeout';
  readonly detail = 'request_body_timeout';
  override readonly headers = { Connection: 'close' };
}

class TooManyOpenRequests extends DomainError {
  readonly kind = 'rate-limited';
  readonly detail = 'too_many_open_requests';
  override readonly headers = { 'Retry-After': RETRY_AFTER_SECONDS };
}

interface OpenBody {
  readonly request: AuthedRequest;
  readonly response: Response;
  /** Bytes that the connection had brought at the last look. */
  bytes: number;
  movedAt: number;
  answeredAt?: number;
  /** Set while the body is read whole. */
  whole?: { readonly since: number; readonly giveUp: () => void };
}

interface Crowd {
  open: number;
  readonly large: LimitFunction;
}

/** Whether the request has a body. */
export const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;

/**
 * Every request whose body is still arriving. Node can only limit the time of a whole request, which would end every
 * large upload. Here a body may take as long as its bytes move, and each client may have a limited number of them.
 */
@Injectable()
export class OpenBodies implements OnApplicationShutdown {
  private silenceMs = seconds(60);
  private readonly bodies = new Map<IncomingMessage, OpenBody>();
  private readonly crowds = new Map<string, Crowd>();
  private looks: NodeJS.Timeout | undefined;

  /** @param silenceMs a body that is read whole is given up after this long without a byte */
  begin(silenceMs: number): void {
    this.silenceMs = silenceMs;
    this.looks = setInterval(this.look, Math.min(seconds(1), silenceMs / 4)).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.looks);
  }

  /** Must be the first handler, because it has to know of a body before anybody reads it. */
  readonly watch = (request: Request, response: Response, next: NextFunction): void => {
    const bytes = request.socket.bytesRead;
    if (hasBody(request)) this.bodies.set(request, { request, response, bytes, movedAt: performance.now() });
    next();
  };

  /**
   * Reads a body into memory.
   * @param mayBeLarge counts the body among the few large ones
   * @throws BodyTimeout 408, TooManyOpenRequests 429
   */
  async readWhole(request: Request, mayBeLarge: boolean, read: () => Promise<void>): Promise<void> {
    const body = this.bodies.get(request);
    if (!body || request.complete) return read();
    const client = clientOf(request);
    const crowd = this.crowds.get(client) ?? { open: 0, large: pLimit(MOST_LARGE_PER_CLIENT) };
    if (crowd.open >= MOST_PER_CLIENT) throw new TooManyOpenRequests();
    this.crowds.set(client, crowd);
    crowd.open += 1;
    const timely = () => readInTime(body, read);
    try {
      await (mayBeLarge ? crowd.large(timely) : timely());
    } finally {
      crowd.open -= 1;
      if (crowd.open === 0) this.crowds.delete(client);
    }
  }

  private readonly look = (): void => {
    const now = performance.now();
    for (const body of this.bodies.values()) {
      const { request, response } = body;
      if (request.complete || request.socket.destroyed) {
        this.bodies.delete(request);
        continue;
      }
      if (response.writableFinished) body.answeredAt ??= now;
      // Unread bytes here wait for this process, not for the client.
      if (request.socket.bytesRead !== body.bytes || request.readableLength > 0) body.movedAt = now;
      body.bytes = request.socket.bytesRead;
      if (this.isOver(body, now)) end(body);
    }
  };

  private isOver({ request, answeredAt, movedAt, whole }: OpenBody, now: number): boolean {
    if (answeredAt !== undefined && !request.principal) return now - answeredAt > LINGER_MS;
    const silent = now - movedAt;
    if (!whole) return silent > this.silenceMs * SILENCES_OF_STREAM;
    return silent > this.silenceMs || now - whole.since > this.silenceMs * SILENCES_OF_WHOLE;
  }
}

function end({ request, whole }: OpenBody): void {
  if (whole) whole.giveUp();
  else request.socket.destroy();
}

async function readInTime(body: OpenBody, read: () => Promise<void>): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      body.whole = { since: performance.now(), giveUp: () => reject(new BodyTimeout()) };
      read().then(resolve, reject);
    });
  } finally {
    body.whole = undefined;
  }
}
