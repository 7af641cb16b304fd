import { Injectable } from '@nestjs/common';
import { ROLE, type OrgAccess, type Principal } from '../common/access/access.js';
import { OrgResolver, type CallerAndOrg } from '../common/access/resolvers.js';
import { SecondFactorDemanded } from '../common/errors/domain-error.js';
import type { Org } from './data/org.schema.js';
import type { OrgsOf } from './data/orgs.queries.js';

/** The parts of a caller that decide their role. */
export type Standing = Pick<Principal, 'id' | 'isSuperuser' | 'key' | 'lacksFactor'>;

/**
 * Returns the caller's role: 100 for a superuser, 0 for a caller who is no member. Contract: accounts §7.1. A key of one
 * org is nothing elsewhere; one that a superuser made is an owner's there.
 */
export function roleIn({ _id, users }: Pick<Org, '_id' | 'users'>, { id, isSuperuser, key }: Standing): number {
  if (isSuperuser) return ROLE.superadmin;
  if (key && key.oid !== null && key.oid !== _id) return 0;
  // A service account is a member of its org alone, and of no list of members.
  if (key?.serviceRole !== undefined) return key.oid === _id ? key.serviceRole : 0;
  return key?.isOfSuperuser ? ROLE.owner : (users?.[id] ?? 0);
}

/** The orgs that lists show to a caller: a superuser's are all, those of a key are one at most. */
export function orgsListedFor({ id, isSuperuser, key }: Standing): OrgsOf {
  const only = key?.oid ?? null;
  const isOfAll = isSuperuser || key?.isOfSuperuser || key?.serviceRole !== undefined;
  return isOfAll ? { everyOrg: true, only } : { userId: id, only };
}

/**
 * As `orgsListedFor`, without the orgs that want a second factor which the caller came without. A superuser's list of all
 * orgs stays whole: what superusers need is the deployment's to say (SUPERUSERS_NEED_SECOND_FACTOR).
 */
export function openTo(caller: Standing): OrgsOf {
  const of = orgsListedFor(caller);
  return caller.lacksFactor && !caller.isSuperuser ? { ...of, lenient: true } : of;
}

@Injectable()
export class StoredOrgResolver extends OrgResolver {
  override accessOf(caller: CallerAndOrg): OrgAccess<Org> | null {
    const org = caller.org as Org | null;
    if (!org) return null;
    const role = roleIn(org, caller.principal);
    if (role < ROLE.viewer) return null;
    if (org.secondFactorDemanded && caller.principal.lacksFactor) throw new SecondFactorDemanded();
    return { oid: org._id, org, role };
  }
}
