import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock/clock.js';
import { AppConfig } from '../../config/app-config.js';
import { unseal, NotOurSeal } from '../../signing/sealed.js';
import type { SecondFactor } from '../../users/data/second-factor.schema.js';
import { SecondFactorsRepository } from '../../users/data/second-factors.repository.js';
import { UsedChallengesRepository } from '../../users/data/used-challenges.repository.js';
import type { User } from '../../users/data/user.schema.js';
import { AccountMails } from '../account-mails.js';
import { recoveryDigest } from '../rules/recovery-codes.js';
import { totpStep } from '../rules/totp.js';
import { FactorLockout } from './factor-lockout.js';
import { PasskeyNotProven, SecondFactorWrong } from './factors.errors.js';
import { Passkeys } from './passkeys.js';

/** What a secret is sealed for, so that it is good for its account alone. */
export const totpPurpose = (userId: string): string => `totp of ${userId}`;

/** What a browser sent for a challenge. */
export interface SentPasskey {
  readonly sent: Readonly<Record<string, unknown>>;
  readonly nonce: string;
  /** When the challenge is over. */
  readonly until: Date;
  /** Whether it stands for the password as well. */
  readonly isAlone: boolean;
}

/** Checks second factors. Whatever is taken here is taken once, by whichever process. */
@Injectable()
export class FactorProofs {
  private readonly logger = new Logger('factors');

  constructor(
    private readonly factors: SecondFactorsRepository,
    private readonly challenges: UsedChallengesRepository,
    private readonly lockout: FactorLockout,
    private readonly passkeys: Passkeys,
    private readonly mails: AccountMails,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  /**
   * Takes a code of the app, or a recovery code. Five wrong ones lock the account's codes for an hour.
   * @param client identifies the caller (`clientOf`)
   * @throws SecondFactorWrong, TooManyLoginAttempts
   */
  async code(user: User, code: string, client: string): Promise<'totp' | 'recovery'> {
    const attempt = await this.lockout.admit(user.id, client, () => {
      this.mails.factorChanged(user, { what: 'locked' });
      return Promise.resolve();
    });
    const by = await attempt.judge(() => this.taken(user, code));
    if (!by) throw new SecondFactorWrong();
    return by;
  }

  /** Takes what a passkey has signed. Nobody guesses it, so it locks nobody. @throws PasskeyNotProven, PasskeysUnavailable */
  async passkey(
    user: User,
    { passkeys = [] }: Pick<SecondFactor, 'passkeys'>,
    { sent, nonce, until, isAlone }: SentPasskey,
  ): Promise<'passkey'> {
    const proved = await this.passkeys.proved(sent, { nonce, isAlone, known: passkeys });
    if (!proved || !(await this.challenges.use(nonce, until))) throw new PasskeyNotProven();
    const use = { counter: proved.counter, now: this.clock.now() };
    if (!(await this.factors.usePasskey(user.id, proved.passkey.id, use))) throw new PasskeyNotProven();
    return 'passkey';
  }

  private async taken(user: User, code: string): Promise<'totp' | 'recovery' | null> {
    const factor = await this.factors.read(user.id);
    if (!factor) return null;
    const now = this.clock.now();
    const secret = factor.totp && this.unsealed(user.id, factor.totp.sealed);
    const step = secret ? totpStep(code, secret, now.getTime()) : null;
    if (step !== null) return (await this.factors.useTotp(user.id, step, now)) ? 'totp' : null;
    const digest = recoveryDigest(code);
    const left = digest === null ? null : await this.factors.useRecovery(user.id, digest);
    if (left === null) return null;
    this.mails.factorChanged(user, { what: 'recovery-used', left });
    return 'recovery';
  }

  /** Another PASSWORD_SECRET reads no secret. Passkeys and recovery codes stay good. */
  private unsealed(userId: string, sealed: string): Buffer | null {
    try {
      return unseal(sealed, this.config.auth.passwordSecret, totpPurpose(userId));
    } catch (error) {
      if (!(error instanceof NotOurSeal)) throw error;
      this.logger.error({ event: 'totp_unreadable', userId, reason: 'it was sealed with another PASSWORD_SECRET' });
      return null;
    }
  }
}
