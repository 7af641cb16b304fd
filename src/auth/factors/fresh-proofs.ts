import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Principal } from '../../common/access/access.js';
import { Clock } from '../../common/clock/clock.js';
import { InvalidCredentials } from '../../common/errors/domain-error.js';
import { clientOf } from '../../common/http/request-address.js';
import { minutes } from '../../common/units/durations.js';
import type { SecondFactor } from '../../users/data/second-factor.schema.js';
import { SecondFactorsRepository } from '../../users/data/second-factors.repository.js';
import type { User } from '../../users/data/user.schema.js';
import { UsersRepository } from '../../users/data/users.repository.js';
import { PasswordHasher } from '../../users/password-hasher.js';
import { InvalidCurrentPassword } from '../auth.errors.js';
import type { FreshProof } from '../dto/second-factor.dto.js';
import { LoginAttempts } from '../login-attempts.js';
import { FactorProofs } from './factor-proofs.js';
import { ProofNeeded } from './factors.errors.js';

/** How long a sign-in at a provider counts as fresh: whoever comes so may have no password here. */
const FRESH_MINUTES = 10;

/** Has somebody shown again who they are, before what proves them changes. A session that was left open is not enough. */
@Injectable()
export class FreshProofs {
  constructor(
    private readonly users: UsersRepository,
    private readonly factors: SecondFactorsRepository,
    private readonly proofs: FactorProofs,
    private readonly attempts: LoginAttempts,
    private readonly hasher: PasswordHasher,
    private readonly clock: Clock,
  ) {}

  /** @throws ProofNeeded, InvalidCurrentPassword, SecondFactorWrong, TooManyLoginAttempts */
  async demand(
    caller: Principal,
    { password, code }: FreshProof,
    request: Request,
  ): Promise<{ user: User; factor: SecondFactor | null }> {
    const [user, factor] = await Promise.all([this.users.findById(caller.id), this.factors.read(caller.id)]);
    if (!user) throw new InvalidCredentials();
    // A log-in without the factor would go round it by the password alone.
    const isWeak = factor !== null && !caller.session?.factor;
    if (code && factor) await this.proofs.code(user, code, clientOf(request));
    else if (password && !isWeak) await this.checkPassword(user, password, request);
    else if (isWeak || !this.isFreshSignIn(caller)) throw new ProofNeeded();
    return { user, factor };
  }

  private async checkPassword(user: User, password: string, request: Request): Promise<void> {
    const attempt = await this.attempts.admit(user.email, request);
    const isRight = await attempt.judge(async () =>
      (await this.hasher.verify(password, user.hashed_password)) ? true : null,
    );
    if (!isRight) throw new InvalidCurrentPassword();
  }

  private isFreshSignIn({ session }: Principal): boolean {
    if (!session?.how.startsWith('oidc:')) return false;
    return session.created.getTime() + minutes(FRESH_MINUTES) > this.clock.nowMs();
  }
}
