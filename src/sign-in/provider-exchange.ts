import type { CustomFetchOptions } from 'openid-client';
import type { AddressPolicy } from '../../formats/address/address-policy.js';
import type { GuardedAnswer, GuardedClient, GuardedRequest } from '../common/http/guarded-client.js';
import { seconds } from '../common/units/durations.js';
import { keyIdOf, type KnownKeys } from './provider-keys.js';

export const TIMEOUT_MS = seconds(10);
/** Metadata, keys, tokens and claims are some kB each. */
const MAX_ANSWER_BYTES = 1_000_000;

/** The requests of one step of a sign-in, as the library makes them. */
export class ProviderExchange {
  private keysAt: string | undefined;
  private keyId: string | null = null;
  private failed: string | null = null;

  constructor(
    private readonly client: GuardedClient,
    private readonly addresses: AddressPolicy,
    private readonly keys: KnownKeys,
  ) {}

  /** What the provider itself failed at; null while it answers. */
  get fault(): { readonly fault: string } | null {
    return this.failed === null ? null : { fault: this.failed };
  }

  fail({ message }: Error): void {
    this.failed ??= message;
  }

  expectKeysAt(url: string | undefined): void {
    this.keysAt = url;
  }

  /** @returns the provider's key set, with the key of this name if it has one */
  async keysWith(keyId: string | null): Promise<string> {
    const kept = this.keys.with(keyId) ?? this.keys.justSent;
    if (kept !== null) return kept;
    if (this.keysAt === undefined) throw new TypeError('the provider names no keys');
    const answer = await this.send(this.keysAt, { method: 'GET', headers: {}, body: null, redirect: 'manual' });
    if (answer.status !== 200) throw new TypeError(`the keys were answered with ${String(answer.status)}`);
    const text = answer.body.toString('utf8');
    this.keys.keep(text);
    return text;
  }

  readonly fetch = async (url: string, options: CustomFetchOptions): Promise<Response> => {
    const kept = url === this.keysAt ? this.keys.with(this.keyId) : null;
    if (kept !== null) return new Response(kept, { headers: { 'content-type': 'application/json' } });
    const answer = await this.send(url, options);
    const text = answer.body.toString('utf8');
    if (url === this.keysAt && answer.status === 200) this.keys.keep(text);
    this.keyId = keyIdOf(text) ?? this.keyId;
    return new Response(text === '' ? null : text, { status: answer.status, headers: headersOf(answer) });
  };

  private async send(url: string, { method, headers, body, signal }: CustomFetchOptions): Promise<GuardedAnswer> {
    try {
      const answer = await this.client.send({
        method: method as GuardedRequest['method'],
        url,
        headers,
        ...(body === null || body === undefined ? {} : { body: String(body as URLSearchParams | string) }),
        timeoutMs: TIMEOUT_MS,
        keepBytes: MAX_ANSWER_BYTES,
        addresses: this.addresses,
        ...(signal ? { signal } : {}),
      });
      if (answer.status >= 500) this.fail(new Error(`it answered ${String(answer.status)}`));
      return answer;
    } catch (error) {
      this.fail(error as Error);
      throw error;
    }
  }
}

const headersOf = ({ headers }: GuardedAnswer): [string, string][] =>
  Object.entries(headers).flatMap(([name, value]) => [value ?? []].flat().map((one): [string, string] => [name, one]));
