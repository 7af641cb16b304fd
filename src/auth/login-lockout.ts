import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { newId } from '../common/ids/uuid.js';
import { loginName } from '../common/validation/email.js';
import { AppConfig } from '../config/app-config.js';
import { LoginFailuresRepository, type AttemptEnd } from '../users/data/login-failures.repository.js';
import { LOGIN_MEMORY_SECONDS } from '../users/data/login-failures.schema.js';
import { BadCredentials, TooManyLoginAttempts } from './auth.errors.js';
import { WaitingLine } from './waiting-line.js';

/** Wrong passwords after which an address is locked. */
const FREE_FAILURES = 5;

/** An attempt whose password may be checked. */
export interface LoginAttempt {
  /** The name in the form in which accounts are looked up. */
  readonly name: string;
  /**
   * Checks the password once and counts the result.
   * @param isWhole whether what was found is a whole log-in, which clears the count; a right password alone may be none
   */
  judge<T>(look: () => Promise<T | null>, isWhole?: (found: T) => boolean): Promise<T | null>;
}

/**
 * Counts failed logins by name. Only as many attempts of a name run at a time as may still fail; the others wait. So
 * parallel attempts get at most five wrong passwords checked, and only failures lock. Contract: accounts §3.
 */
@Injectable()
export class LoginLockout {
  private readonly line = new WaitingLine();
  private readonly logger = new Logger('login');

  constructor(
    private readonly failures: LoginFailuresRepository,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  /**
   * Waits until the password may be checked.
   * @param onLock called by the one attempt that finds the name freshly locked
   * @throws TooManyLoginAttempts 429; BadCredentials 400 for what no account can be called
   */
  async admit(username: string, client: string, onLock: (name: string) => Promise<void>): Promise<LoginAttempt> {
    await this.admitClient(client);
    const name = loginName(username);
    if (name === null) {
      await this.failedFrom(client);
      throw new BadCredentials();
    }
    const id = newId();
    for (;;) {
      const { count, isAdmitted } = await this.failures.take(name, id, { now: this.clock.now(), most: FREE_FAILURES });
      if (isAdmitted) return { name, judge: (look, isWhole) => this.judge({ name, id, client }, look, isWhole) };
      if (count > FREE_FAILURES) {
        await this.failedFrom(client);
        if (count === FREE_FAILURES + 1) await onLock(name);
        // The attempt itself has restarted the hour.
        throw new TooManyLoginAttempts(LOGIN_MEMORY_SECONDS);
      }
      await this.line.wait(name);
    }
  }

  /** Clears the failures of an address whose owner has set a password. */
  async clear(email: string): Promise<void> {
    await this.failures.clear(email);
  }

  private async judge<T>(
    { name, id, client }: { name: string; id: string; client: string },
    look: () => Promise<T | null>,
    isWhole: (found: T) => boolean = () => true,
  ): Promise<T | null> {
    let end: AttemptEnd = 'unknown';
    try {
      const found = await look();
      end = found === null ? 'failed' : isWhole(found) ? 'succeeded' : 'unknown';
      return found;
    } finally {
      await this.failures.settle(name, id, { end, now: this.clock.now() });
      if (end === 'failed') {
        await this.failedFrom(client);
        this.line.callAll(name);
      } else this.line.callNext(name);
    }
  }

  /** Counts a failure by who sends it, and logs it. The name is left out: people type passwords there. */
  async failedFrom(client: string): Promise<void> {
    this.logger.warn({ event: 'login_failed', client });
    if (this.config.auth.loginFailuresPerAddress > 0) await this.failures.countClient(client, this.clock.now());
  }

  /** @throws TooManyLoginAttempts */
  async admitClient(client: string): Promise<void> {
    const limit = this.config.auth.loginFailuresPerAddress;
    if (limit === 0) return;
    const now = this.clock.now();
    const failed = await this.failures.readClient(client, now);
    if (failed && failed.count >= limit)
      throw new TooManyLoginAttempts(Math.ceil((failed.ends.getTime() - now.getTime()) / 1000));
  }
}
