import { Injectable, Logger } from '@nestjs/common';
import { canonicalUuid } from '../common/ids/uuid.js';
import type { Tx } from '../database/unit-of-work.js';
import { OrgMembersRepository } from '../orgs/data/org-members.repository.js';
import { OrgsRepository } from '../orgs/data/orgs.repository.js';
import { Membership } from '../orgs/members/membership.js';
import { UsersRepository } from '../users/data/users.repository.js';
import type { User } from '../users/data/user.schema.js';
import { IdentitiesRepository } from './data/identities.repository.js';
import type { GrantedRole, Identity } from './data/identity.schema.js';
import type { ProvenPerson } from './provider-client.js';
import { mapped } from './rules/mapping.js';
import type { ProviderSettings } from './rules/provider-settings.js';

/** What a provider's rules give to a person at this moment: roles by the org's id. */
export interface MappedFor {
  readonly roles: ReadonlyMap<string, number>;
  readonly isSuperuser: boolean;
  readonly givesAnything: boolean;
}

/** Gives and takes memberships by the provider's rules, at each sign-in. What people gave by hand stays. */
@Injectable()
export class MappedOrgs {
  private readonly logger = new Logger('sign-in');

  constructor(
    private readonly identities: IdentitiesRepository,
    private readonly users: UsersRepository,
    private readonly orgs: OrgsRepository,
    private readonly members: OrgMembersRepository,
    private readonly membership: Membership,
  ) {}

  /** Rules for orgs that aren't there give nothing. */
  async of({ claims }: ProvenPerson, { rules, id: provider }: ProviderSettings): Promise<MappedFor> {
    const { roles: named, isSuperuser } = mapped(rules, claims);
    const roles = new Map<string, number>();
    for (const [name, role] of named) {
      const oid = canonicalUuid(name);
      const org = oid ? await this.orgs.findById(oid) : await this.orgs.findBySlug(name);
      if (org) roles.set(org._id, Math.max(role, roles.get(org._id) ?? 0));
      else this.logger.warn({ event: 'sign_in_org_unknown', provider, org: name });
    }
    return { roles, isSuperuser, givesAnything: isSuperuser || roles.size > 0 };
  }

  /** Runs in the transaction of the sign-in, which holds the identity. */
  async apply(user: User, identity: Identity, { roles, isSuperuser }: MappedFor, tx: Tx): Promise<void> {
    const granted: GrantedRole[] = [];
    for (const [oid, role] of roles) {
      const grant = await this.give(user, { oid, role, earlier: identity.granted.find((one) => one.oid === oid) }, tx);
      if (grant) granted.push(grant);
    }
    for (const grant of identity.granted)
      if (!roles.has(grant.oid) && !(await this.take(user, grant, tx))) granted.push(grant);
    const grantedSuperuser = await this.superuser(user, { has: identity.grantedSuperuser, gets: isSuperuser }, tx);
    await this.identities.setGrants(identity._id, { granted, grantedSuperuser }, tx);
  }

  /** @returns what was given; null where the person has it by hand */
  private async give(
    user: User,
    { oid, role, earlier }: { oid: string; role: number; earlier: GrantedRole | undefined },
    tx: Tx,
  ): Promise<GrantedRole | null> {
    const org = await this.orgs.findById(oid, tx);
    if (!org) return null;
    const now = org.users?.[user.id];
    if (now === undefined) {
      await this.membership.join(oid, user, role, tx);
      return { oid, role, before: null };
    }
    const before = earlier ? earlier.before : now;
    // By hand they have as much, and keep it whatever the rules say later.
    if (before !== null && before >= role) {
      if (earlier) await this.set(user, oid, { role: before }, tx);
      return null;
    }
    const isSet = now === role || (await this.set(user, oid, { role }, tx));
    return { oid, role: isSet ? role : now, before };
  }

  /** @returns false while the person is the last owner, without whom nobody could run the org */
  private async take(user: User, { oid, before }: GrantedRole, tx: Tx): Promise<boolean> {
    const org = await this.orgs.findById(oid, tx);
    if (org?.users?.[user.id] === undefined) return true;
    return this.set(user, oid, { role: before }, tx);
  }

  private async set(user: User, oid: string, { role }: { role: number | null }, tx: Tx): Promise<boolean> {
    const isDone = await this.members.regrant(oid, user.id, role, tx);
    if (!isDone) this.logger.warn({ event: 'sign_in_last_owner_kept', oid, userId: user.id });
    return isDone;
  }

  /** @returns whether the account is a superuser's by the mapping */
  private async superuser(user: User, { has, gets }: { has: boolean; gets: boolean }, tx: Tx): Promise<boolean> {
    if (gets) {
      if (!user.is_superuser) await this.users.update(user.id, { is_superuser: true }, tx);
      return has || !user.is_superuser;
    }
    if (!has) return false;
    const isDone = await this.users.demote(user.id, tx);
    if (!isDone) this.logger.warn({ event: 'sign_in_last_superuser_kept', userId: user.id });
    return !isDone;
  }
}
