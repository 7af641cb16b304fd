import { Injectable, Logger } from '@nestjs/common';
import { seconds } from '../common/units/durations.js';
import { AppConfig } from '../config/app-config.js';

/** Longest call of the billing service (accounts §12). */
const TIMEOUT_MS = seconds(10);
/** Largest answer: real ones are a URL or a price. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** A call; a lookup that changes nothing may be repeated. */
interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: object;
  readonly isRepeatable: boolean;
}

/** Talks to the external billing service. Null means no service or no usable answer; the log says which. */
@Injectable()
export class BillingClient {
  private readonly logger = new Logger('billing');
  private readonly baseUrl: string;

  constructor(private readonly config: AppConfig) {
    this.baseUrl = config.billing.serviceUrl.replace(/\/+$/, '');
  }

  get isConfigured(): boolean {
    return this.baseUrl !== '';
  }

  /** Returns the page where the subscriber manages the subscription. */
  async portalUrl(body: {
    returnUrl: string;
    subId: string;
    planId: string;
    bytesStored: number;
    execSeconds: number;
  }): Promise<string | null> {
    const answer = await this.call({ method: 'POST', path: '/portalUrl', body, isRepeatable: true });
    return this.text(answer, 'portalUrl');
  }

  async minutePrice(): Promise<{ value: number; currency: string } | null> {
    const answer = await this.call({ method: 'GET', path: '/prices/additionalMinutes', isRepeatable: true });
    const [value, currency] = [answer?.['value'], answer?.['currency']];
    if (typeof value === 'number' && typeof currency === 'string') return { value, currency };
    return this.unusable(answer, 'value, currency');
  }

  /** Starts a checkout. The call is not repeated, because it changes something. */
  async checkoutUrl(body: {
    orgId: string;
    subId: string;
    minutes: number | null;
    return_url: string;
  }): Promise<string | null> {
    const answer = await this.call({ method: 'POST', path: '/checkout/additionalMinutes', body, isRepeatable: false });
    return this.text(answer, 'checkoutUrl');
  }

  private text(answer: Record<string, unknown> | null, key: string): string | null {
    const value = answer?.[key];
    return typeof value === 'string' ? value : this.unusable(answer, key);
  }

  private unusable(answer: Record<string, unknown> | null, expected: string): null {
    if (answer) this.logger.error({ event: 'billing_answer_unusable', expected });
    return null;
  }

  private async call(call: Call): Promise<Record<string, unknown> | null> {
    if (!this.isConfigured) return null;
    // Both tries share one deadline, so that the caller does not wait longer for the second.
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.send(call, signal);
      } catch (error) {
        const mayRepeat = call.isRepeatable && attempt === 1 && !signal.aborted;
        this.logger.error({ event: 'billing_call_failed', path: call.path, attempt, err: error });
        if (!mayRepeat) return null;
      }
    }
  }

  /** @throws Error for a status other than 2xx, and for an answer that is no JSON object */
  private async send({ method, path, body }: Call, signal: AbortSignal): Promise<Record<string, unknown>> {
    const { request } = await import('undici');
    const response = await request(`${this.baseUrl}${path}`, {
      method,
      signal,
      headers: {
        // The service compares the scheme in lower case.
        authorization: `bearer ${this.config.auth.sharedSecret.reveal()}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const { statusCode } = response;
    if (statusCode < 200 || statusCode > 299) {
      await response.body.dump({ limit: MAX_ANSWER_BYTES, signal });
      throw new Error(`the billing service answered ${String(statusCode)}`);
    }
    const answer = JSON.parse(await limitedText(response.body)) as unknown;
    if (typeof answer !== 'object' || answer === null) throw new Error('the billing service answered no JSON object');
    return answer as Record<string, unknown>;
  }
}

async function limitedText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES) throw new Error('the billing service answered too much');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
