import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { AppConfig } from '../config/app-config.js';
import { LoginFailuresRepository } from '../users/data/login-failures.repository.js';
import { TooManyLoginAttempts } from './auth.errors.js';

/** Attempts whose password is still looked at; the next one locks. */
const FREE_ATTEMPTS = 5;
/** No valid address is longer (accounts §1.4): longer names share a counter per beginning. */
const MAX_KEY_LENGTH = 254;

const keyOf = (email: string): string => email.slice(0, MAX_KEY_LENGTH);

/**
 * Counts login attempts. An attempt counts before its password is checked, so that parallel ones never get more than
 * five looked at. Contract: accounts §3.
 */
@Injectable()
export class LoginLockout {
  constructor(
    private readonly failures: LoginFailuresRepository,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  /**
   * Takes one attempt for the address.
   * @param onLock called by the one attempt that finds the address freshly locked
   * @throws TooManyLoginAttempts
   */
  async admit(email: string, client: string, onLock: () => Promise<void>): Promise<void> {
    await this.admitClient(client);
    const attempt = await this.failures.count(keyOf(email), this.clock.now());
    if (attempt <= FREE_ATTEMPTS) return;
    await this.failedFrom(client);
    if (attempt === FREE_ATTEMPTS + 1) await onLock();
    throw new TooManyLoginAttempts();
  }

  /** The attempt's password was wrong. */
  async failedFrom(client: string): Promise<void> {
    if (this.config.auth.loginFailuresPerAddress > 0) await this.failures.countClient(client, this.clock.now());
  }

  /** The address is whoever has its password again. */
  async clear(email: string): Promise<void> {
    await this.failures.clear(keyOf(email));
  }

  private async admitClient(client: string): Promise<void> {
    const limit = this.config.auth.loginFailuresPerAddress;
    if (limit === 0) return;
    const now = this.clock.now();
    const failed = await this.failures.readClient(client, now);
    if (failed && failed.count >= limit)
      throw new TooManyLoginAttempts(Math.ceil((failed.ends.getTime() - now.getTime()) / 1000));
  }
}
