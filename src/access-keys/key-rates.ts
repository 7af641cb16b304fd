import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { DomainError } from '../common/errors/domain-error.js';
import { minutes } from '../common/units/durations.js';
import { AppConfig } from '../config/app-config.js';

/** Keys that are counted at a time. Beyond, the one whose minute began first is forgotten. */
const MOST_COUNTED = 10_000;

type Headers = Record<string, string>;

/** The key has made as many requests of this process as a minute may have. */
export class TooManyKeyRequests extends DomainError {
  readonly kind = 'rate-limited';
  readonly detail = 'api_key_rate_limited';

  constructor(override readonly headers: Headers) {
    super();
  }
}

/** Counts the requests of each key by the minute that begins with the first of them, in this process alone. */
@Injectable()
export class KeyRates {
  /** By key; those whose minute began first come first. */
  private readonly windows = new Map<string, { readonly ends: number; count: number }>();

  constructor(
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  /** Counts a request. @returns headers that say what is left. @throws TooManyKeyRequests */
  count(keyId: string): Headers {
    const limit = this.config.auth.keyRequestsPerMinute;
    if (limit === 0) return {};
    const now = this.clock.nowMs();
    const window = this.windowOf(keyId, now);
    window.count++;
    const reset = String(Math.ceil((window.ends - now) / 1000));
    const headers = {
      'RateLimit-Limit': String(limit),
      'RateLimit-Remaining': String(Math.max(0, limit - window.count)),
      'RateLimit-Reset': reset,
    };
    if (window.count > limit) throw new TooManyKeyRequests({ ...headers, 'Retry-After': reset });
    return headers;
  }

  private windowOf(keyId: string, now: number): { readonly ends: number; count: number } {
    const known = this.windows.get(keyId);
    if (known && known.ends > now) return known;
    // Last, as the one that began last.
    this.windows.delete(keyId);
    const [oldest] = this.windows.keys();
    if (oldest !== undefined && this.windows.size >= MOST_COUNTED) this.windows.delete(oldest);
    const begun = { ends: now + minutes(1), count: 0 };
    this.windows.set(keyId, begun);
    return begun;
  }
}
