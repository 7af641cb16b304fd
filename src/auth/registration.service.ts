import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { person } from '../audit/rules/actors.js';
import { ROLE } from '../common/access/access.js';
import { canonicalUuid, newId } from '../common/ids/uuid.js';
import { AppConfig } from '../config/app-config.js';
import { isDuplicateKey } from '../database/org-scoped.js';
import { InvitesService } from '../invites/invites.service.js';
import type { Invite } from '../invites/data/invite.schema.js';
import { InvalidInvite } from '../invites/invites.errors.js';
import { OrgsRepository } from '../orgs/data/orgs.repository.js';
import { Membership } from '../orgs/members/membership.js';
import { UsersRepository } from '../users/data/users.repository.js';
import type { User } from '../users/data/user.schema.js';
import { NewPasswords } from '../users/new-passwords.js';
import { PasswordHasher } from '../users/password-hasher.js';
import { DefaultOrgMissing, InvalidCurrentPassword, InviteTokenRequired, RegisterOrgNotFound } from './auth.errors.js';
import type { UserCreate } from './dto/auth.dto.js';
import { LoginLockout } from './login-lockout.js';

/** Where the new member joins. */
type Destination = { readonly invite: Invite } | { readonly registerOid: string };

export interface Registered {
  readonly user: User;
  /** True when no invite confirms the address, so that it must be verified. */
  readonly needsVerification: boolean;
}

/** Registers new accounts, and existing ones that join with their password. Contract: accounts §4. */
@Injectable()
export class RegistrationService {
  constructor(
    private readonly users: UsersRepository,
    private readonly orgs: OrgsRepository,
    private readonly invites: InvitesService,
    private readonly membership: Membership,
    private readonly hasher: PasswordHasher,
    private readonly rules: NewPasswords,
    private readonly lockout: LoginLockout,
    private readonly trail: AuditTrail,
    private readonly config: AppConfig,
  ) {}

  /**
   * Account, used invite and membership appear together or not at all.
   * @param client identifies the caller (`clientOf`)
   * @throws InviteTokenRequired, InvalidInvite, InvalidPassword, PasswordTooCommon, InvalidCurrentPassword, AlreadyMember 400;
   *  TooManyLoginAttempts 429; RegisterOrgNotFound, DefaultOrgMissing 500
   */
  async register(given: UserCreate, client: string): Promise<Registered> {
    const destination = await this.destination(given);
    const { password, email, name, refuseCommon: isStrict } = given;
    this.rules.assert({ password, about: [email, name ?? ''], isStrict });
    const existing = await this.users.findByEmail(given.email);
    if (existing) return this.joinExisting(existing, given, { destination, client });
    try {
      return await this.create(given, destination);
    } catch (error) {
      // The same address was registered at the same moment.
      const winner = isDuplicateKey(error) ? await this.users.findByEmail(given.email) : null;
      if (!winner) throw error;
      return this.joinExisting(winner, given, { destination, client });
    }
  }

  private async destination({ email, inviteToken }: UserCreate): Promise<Destination> {
    if (inviteToken) return { invite: await this.invites.find(inviteToken, { email }) };
    if (!this.config.accounts.registrationEnabled) throw new InviteTokenRequired();
    const { registerToOid } = this.config.accounts;
    if (!registerToOid) {
      const fallback = await this.orgs.findDefault();
      if (!fallback) throw new DefaultOrgMissing();
      return { registerOid: fallback._id };
    }
    const oid = canonicalUuid(registerToOid);
    if (oid === null || !(await this.orgs.findById(oid))) throw new RegisterOrgNotFound();
    return { registerOid: oid };
  }

  private async create({ email, name, password }: UserCreate, destination: Destination): Promise<Registered> {
    const byInvite = 'invite' in destination;
    const user: User = {
      id: newId(),
      email,
      name: name || email,
      is_superuser: false,
      is_verified: byInvite,
      hashed_password: await this.hasher.hash(password),
    };
    await this.join(user, destination, true);
    return { user, needsVerification: !byInvite };
  }

  /** Counts like a login, because the password could be guessed here too (D5). */
  private async joinExisting(
    user: User,
    { password }: UserCreate,
    { destination, client }: { destination: Destination; client: string },
  ): Promise<Registered> {
    const attempt = await this.lockout.admit(user.email, client, () => Promise.resolve());
    const isRight = () => this.hasher.verify(password, user.hashed_password);
    if (!(await attempt.judge(async () => ((await isRight()) ? user : null)))) throw new InvalidCurrentPassword();
    if (this.hasher.isOutdated(user.hashed_password))
      await this.users.replaceHash(user.id, user.hashed_password, await this.hasher.hash(password));
    await this.join(user, destination, false);
    return { user, needsVerification: !user.is_verified && !('invite' in destination) };
  }

  private async join(user: User, destination: Destination, isNew: boolean): Promise<void> {
    await this.membership.joining(async (tx) => {
      if (isNew) await this.users.insert(user, tx);
      const oid = 'invite' in destination ? destination.invite.oid : destination.registerOid;
      const action = isNew ? 'account.registered' : 'account.joined';
      await this.trail.record({ action, by: person(user.id), oid, about: ['user', user.id] }, tx);
      if ('registerOid' in destination)
        return this.membership.join(destination.registerOid, user, ROLE.crawler, tx).then(() => undefined);
      const { invite } = destination;
      await this.invites.consume(invite, tx);
      if (!(await this.orgs.findById(invite.oid, tx))) throw new InvalidInvite();
      await this.membership.join(invite.oid, user, invite.role, tx);
    });
  }
}
