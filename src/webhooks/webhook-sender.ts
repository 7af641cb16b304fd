import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { GuardedClient } from '../common/http/guarded-client.js';
import { AppConfig } from '../config/app-config.js';
import type { DeliveryTry } from './data/notification.schema.js';
import type { Receiver } from './receivers.js';
import { signatureHeaders } from './signature.js';

const KEPT_ANSWER_CHARS = 1000;
/** A UTF-8 character has at most four bytes. */
const KEPT_ANSWER_BYTES = KEPT_ANSWER_CHARS * 4;

export interface SendResult {
  readonly succeeded: boolean;
  readonly made: DeliveryTry;
}

const reasonOf = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  const { code, cause } = error as Error & { code?: string };
  const inner = cause instanceof Error ? `: ${cause.message}` : '';
  return `${code ? `${code} ` : ''}${error.message}${inner}`;
};

/** Makes one signed POST and returns the result. It never throws for what a receiver does. */
@Injectable()
export class WebhookSender {
  constructor(
    private readonly client: GuardedClient,
    private readonly clock: Clock,
    private readonly config: AppConfig,
  ) {}

  async send(
    { url, secrets }: Omit<Receiver, 'paused'>,
    notification: { readonly _id: string; readonly body: object },
    signal: AbortSignal,
  ): Promise<SendResult> {
    const at = this.clock.now();
    const body = JSON.stringify(notification.body);
    const started = performance.now();
    const done = (status: number | null, answer: string): SendResult => ({
      succeeded: status !== null && status >= 200 && status < 300,
      made: {
        at,
        status,
        latencyMs: Math.round(performance.now() - started),
        answer: answer.slice(0, KEPT_ANSWER_CHARS),
      },
    });
    try {
      const answer = await this.client.send({
        method: 'POST',
        url,
        headers: {
          'content-type': 'application/json',
          'content-length': String(Buffer.byteLength(body)),
          'user-agent': 'Muniment-Webhooks/1',
          ...signatureHeaders(notification._id, at, body, secrets),
        },
        body,
        timeoutMs: this.config.webhooks.timeoutMs,
        mayBreakOff: true,
        signal,
        keepBytes: KEPT_ANSWER_BYTES,
        addresses: this.config.addresses.webhooks,
      });
      return done(answer.status, answer.body.toString('utf8'));
    } catch (error) {
      return done(null, reasonOf(error));
    }
  }
}
