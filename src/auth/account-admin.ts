import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { ROLE } from '../common/access/access.js';
import { notFound, OrgNotFound } from '../common/errors/domain-error.js';
import { newId } from '../common/ids/uuid.js';
import { generatePassword } from '../config/generated-secrets.js';
import { isDuplicateKey } from '../database/org-scoped.js';
import { OrgsRepository } from '../orgs/data/orgs.repository.js';
import { Membership } from '../orgs/members/membership.js';
import { UserOrgs } from '../orgs/members/user-orgs.js';
import { LoginFailuresRepository } from '../users/data/login-failures.repository.js';
import { UsersRepository } from '../users/data/users.repository.js';
import { assertPassword, PasswordHasher } from '../users/password-hasher.js';
import { UserAlreadyExists } from '../users/users.errors.js';

/** Accounts per batch of a list on a terminal. */
const BATCH = 500;
const ROLE_NAMES: Record<number, string> = {
  [ROLE.viewer]: 'viewer',
  [ROLE.crawler]: 'crawler',
  [ROLE.owner]: 'owner',
};

/** No account has the address. Only the command line tells this; the API does not. */
class UserNotFound extends notFound('user_not_found') {}

export interface NewAccount {
  readonly email: string;
  readonly name: string | null;
  /** Password; null: it is generated. */
  readonly password: string | null;
  /** Slug of the org; null: the default org. */
  readonly orgSlug: string | null;
  readonly role: number;
  readonly isSuperuser: boolean;
}

/** The command line's actions on accounts. */
@Injectable()
export class AccountAdmin {
  constructor(
    private readonly users: UsersRepository,
    private readonly failures: LoginFailuresRepository,
    private readonly orgs: OrgsRepository,
    private readonly membership: Membership,
    private readonly userOrgs: UserOrgs,
    private readonly hasher: PasswordHasher,
    private readonly trail: AuditTrail,
  ) {}

  /** @returns the password. @throws InvalidPassword, UserAlreadyExists, OrgNotFound */
  async create({ email, name, password: given, orgSlug, role, isSuperuser }: NewAccount): Promise<string> {
    const password = given ?? generatePassword();
    assertPassword(password);
    if (await this.users.findByEmail(email)) throw new UserAlreadyExists();
    const org = isSuperuser ? null : await (orgSlug ? this.orgs.findBySlug(orgSlug) : this.orgs.findDefault());
    if (!org && !isSuperuser) throw new OrgNotFound();
    const hashed_password = await this.hasher.hash(password);
    const user = {
      id: newId(),
      email,
      name: name ?? email,
      is_superuser: isSuperuser,
      is_verified: true,
      hashed_password,
    };
    try {
      await this.membership.joining(async (tx) => {
        await this.users.insert(user, tx);
        const about = ['user', user.id] as const;
        await this.trail.record({ action: 'cli.accountCreated', oid: org?._id ?? null, about }, tx);
        if (org) await this.membership.join(org._id, user, role, tx);
      });
    } catch (error) {
      if (isDuplicateKey(error)) throw new UserAlreadyExists();
      throw error;
    }
    return password;
  }

  /** Sets a new password, and ends sessions and a lockout. @returns the password. @throws InvalidPassword, UserNotFound */
  async resetPassword(email: string, given: string | null): Promise<string> {
    const password = given ?? generatePassword();
    assertPassword(password);
    const user = await this.users.findByEmail(email);
    if (!user) throw new UserNotFound();
    await this.users.setPassword(user.id, await this.hasher.hash(password));
    await this.failures.clear(user.email);
    await this.trail.record({ action: 'cli.passwordReset', about: ['user', user.id] });
    return password;
  }

  /** One line per account, the superuser first. */
  async list(): Promise<string[]> {
    const superuser = await this.users.findSuperuser();
    const lines = superuser ? [`${superuser.email}  superuser`] : [];
    for (let skip = 0; ; skip += BATCH) {
      const users = await this.users.listNormal({ skip, limit: BATCH });
      const orgs = await this.userOrgs.ofMany(users.map(({ id }) => id));
      for (const { id, email, is_verified } of users) {
        const joined = (orgs.get(id) ?? []).map(({ slug, role }) => `${slug} (${ROLE_NAMES[role] ?? String(role)})`);
        lines.push(`${email}  ${is_verified ? 'verified' : 'not verified'}  ${joined.join(', ') || 'no org'}`);
      }
      if (users.length < BATCH) return lines;
    }
  }
}
