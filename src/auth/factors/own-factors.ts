import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { Principal } from '../../common/access/access.js';
import { Clock } from '../../common/clock/clock.js';
import { wireTime } from '../../common/validation/date-time.js';
import { AppConfig } from '../../config/app-config.js';
import { OrgsQueries } from '../../orgs/data/orgs.queries.js';
import { seal, unseal } from '../../signing/sealed.js';
import type { StoredPasskey } from '../../users/data/second-factor.schema.js';
import { SecondFactorsRepository, type FactorChange } from '../../users/data/second-factors.repository.js';
import type { User } from '../../users/data/user.schema.js';
import { UsersRepository } from '../../users/data/users.repository.js';
import { AccountMails } from '../account-mails.js';
import type {
  FreshProof,
  PasskeyOut,
  PasskeySetupIn,
  PasskeySetupOut,
  RecoveryCodesOut,
  SecondFactorOut,
  TotpSetupIn,
  TotpSetupOut,
} from '../dto/second-factor.dto.js';
import { newRecoveryCodes, recoveryDigest } from '../rules/recovery-codes.js';
import { newTotpSecret, totpShown, totpStep } from '../rules/totp.js';
import { passwordMark, Tokens, type StepKind } from '../tokens.js';
import {
  FactorExists,
  FactorNotFound,
  PasskeyNotProven,
  PasskeyRefused,
  SecondFactorWrong,
  SecondStepExpired,
} from './factors.errors.js';
import { totpPurpose } from './factor-proofs.js';
import { FreshProofs } from './fresh-proofs.js';
import { Passkeys } from './passkeys.js';

const toPasskey = ({ id, name, created, lastUsed }: StoredPasskey): PasskeyOut => ({
  ...{ id, name, created: wireTime(created), lastUsed: lastUsed && wireTime(lastUsed) },
});

/**
 * Sets up and removes the caller's second factors. A set-up under way is in the hands of who makes it, as a token, and
 * stored when it is proved, in one step: a process that dies in between leaves nothing half set up.
 */
@Injectable()
export class OwnFactors {
  constructor(
    private readonly users: UsersRepository,
    private readonly factors: SecondFactorsRepository,
    private readonly fresh: FreshProofs,
    private readonly passkeys: Passkeys,
    private readonly tokens: Tokens,
    private readonly orgs: OrgsQueries,
    private readonly mails: AccountMails,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  async show(caller: Principal): Promise<SecondFactorOut> {
    const [factor, isDemanded] = await Promise.all([
      this.factors.read(caller.id),
      this.orgs.anyDemandsFactor(caller.id),
    ]);
    const { totp, passkeys = [], recovery = [] } = factor ?? {};
    return {
      totp: totp ? { created: wireTime(totp.created), lastUsed: totp.lastUsed ? wireTime(totp.lastUsed) : null } : null,
      passkeys: passkeys.map(toPasskey),
      recoveryCodesLeft: recovery.length,
      passkeysAt: this.passkeys.place?.origin ?? null,
      proved: !caller.lacksFactor,
      demanded: isDemanded || (this.config.auth.superusersNeedFactor && (caller.isSuperuser || !!caller.isHeldBack)),
    };
  }

  /** @throws FactorExists, and what a fresh proof does */
  async beginTotp(caller: Principal, proof: FreshProof, request: Request): Promise<TotpSetupOut> {
    const { user, factor } = await this.fresh.demand(caller, proof, request);
    if (factor?.totp) throw new FactorExists();
    const secret = newTotpSecret();
    const sealed = seal(secret, this.config.auth.passwordSecret, totpPurpose(user.id));
    return { ...totpShown(secret, user.email), setup: await this.setupOf('totpSetup', { user, caller }, sealed) };
  }

  /** @throws SecondStepExpired, SecondFactorWrong, FactorExists */
  async endTotp(caller: Principal, { setup, code }: TotpSetupIn): Promise<RecoveryCodesOut> {
    const { user, kept: sealed } = await this.begun('totpSetup', caller, setup);
    const secret = unseal(sealed, this.config.auth.passwordSecret, totpPurpose(user.id));
    const now = this.clock.now();
    const lastStep = totpStep(code, secret, now.getTime());
    if (lastStep === null) throw new SecondFactorWrong();
    const codes = newRecoveryCodes();
    const change = changeOf(user, caller, { factor: 'totp', codes });
    // The code that ended the set-up was used by that.
    const isFirst = await this.factors.addTotp(change, { sealed, created: now, lastStep, lastUsed: null });
    if (isFirst === null) throw new FactorExists();
    this.mails.factorChanged(user, { what: 'totp-added' });
    return { recoveryCodes: isFirst ? codes : null };
  }

  /** @throws FactorNotFound, and what a fresh proof does */
  async removeTotp(caller: Principal, proof: FreshProof, request: Request): Promise<void> {
    const { user } = await this.fresh.demand(caller, proof, request);
    if (!(await this.factors.removeTotp(user.id, caller.session?.id ?? null))) throw new FactorNotFound();
    this.mails.factorChanged(user, { what: 'totp-removed' });
  }

  /** @throws PasskeysUnavailable, and what a fresh proof does */
  async beginPasskey(caller: Principal, proof: FreshProof, request: Request): Promise<PasskeySetupOut> {
    const { user, factor } = await this.fresh.demand(caller, proof, request);
    const { options, nonce } = await this.passkeys.toRegister(user, factor?.passkeys ?? []);
    return { options: { ...options }, setup: await this.setupOf('passkeySetup', { user, caller }, nonce) };
  }

  /** @throws SecondStepExpired, PasskeyNotProven, PasskeyRefused, PasskeysUnavailable */
  async endPasskey(caller: Principal, { setup, passkey, name }: PasskeySetupIn): Promise<RecoveryCodesOut> {
    const { user, kept: nonce } = await this.begun('passkeySetup', caller, setup);
    const registered = await this.passkeys.registered(passkey, nonce);
    if (!registered) throw new PasskeyNotProven();
    const codes = newRecoveryCodes();
    const change = changeOf(user, caller, { factor: 'passkey', codes });
    const isFirst = await this.factors.addPasskey(change, { ...registered, name, created: this.clock.now() });
    if (isFirst === null) throw new PasskeyRefused();
    this.mails.factorChanged(user, { what: 'passkey-added', name });
    return { recoveryCodes: isFirst ? codes : null };
  }

  /** @throws FactorNotFound, and what a fresh proof does */
  async removePasskey(caller: Principal, passkeyId: string, proof: FreshProof, request: Request): Promise<void> {
    const { user, factor } = await this.fresh.demand(caller, proof, request);
    const removed = factor?.passkeys?.find(({ id }) => id === passkeyId);
    if (!removed || !(await this.factors.removePasskey(user.id, passkeyId, caller.session?.id ?? null)))
      throw new FactorNotFound();
    this.mails.factorChanged(user, { what: 'passkey-removed', name: removed.name });
  }

  /** The former codes are good for nothing from now on. @throws FactorNotFound, and what a fresh proof does */
  async renewRecovery(caller: Principal, proof: FreshProof, request: Request): Promise<RecoveryCodesOut> {
    const { user } = await this.fresh.demand(caller, proof, request);
    const codes = newRecoveryCodes();
    if (!(await this.factors.renewRecovery(user.id, codes.map(digestOf)))) throw new FactorNotFound();
    this.mails.factorChanged(user, { what: 'recovery-renewed' });
    return { recoveryCodes: codes };
  }

  /** A set-up belongs to the session that began it, and ends with the password. */
  private setupOf(kind: StepKind, of: { user: User; caller: Principal }, kept: string): Promise<string> {
    const { user, caller } = of;
    const sid = caller.session?.id ?? null;
    return this.tokens.forStep(kind, { sub: user.id, pwd: passwordMark(user.hashed_password), sid, kept });
  }

  private async begun(kind: StepKind, caller: Principal, setup: string): Promise<{ user: User; kept: string }> {
    const step = (await this.tokens.readStep(kind, setup))?.step;
    const user = step?.['sub'] === caller.id ? await this.users.findById(caller.id) : null;
    const isOurs = step?.['sid'] === (caller.session?.id ?? null);
    const kept = step?.['kept'];
    if (!user || !isOurs || typeof kept !== 'string' || passwordMark(user.hashed_password) !== step?.['pwd'])
      throw new SecondStepExpired();
    return { user, kept };
  }
}

const digestOf = (code: string): string => recoveryDigest(code) ?? '';

const changeOf = (
  { id: userId, hashed_password: hash }: User,
  { session }: Principal,
  { factor, codes }: { factor: string; codes: readonly string[] },
): FactorChange => ({ userId, hash, sid: session?.id ?? null, factor, recovery: codes.map(digestOf) });
