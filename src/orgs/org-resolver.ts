import { Injectable } from '@nestjs/common';
import { ROLE, type OrgAccess, type Principal } from '../common/access/access.js';
import { OrgResolver, type CallerAndOrg } from '../common/access/resolvers.js';
import type { Org } from './data/org.schema.js';

/** Returns the caller's role: 100 for a superuser, 0 for a caller who is no member. Contract: accounts §7.1. */
export const roleIn = (org: Pick<Org, 'users'>, { id, isSuperuser }: Pick<Principal, 'id' | 'isSuperuser'>): number =>
  isSuperuser ? ROLE.superadmin : (org.users?.[id] ?? 0);

@Injectable()
export class StoredOrgResolver extends OrgResolver {
  override accessOf(caller: CallerAndOrg): OrgAccess<Org> | null {
    const org = caller.org as Org | null;
    if (!org) return null;
    const role = roleIn(org, caller.principal);
    return role >= ROLE.viewer ? { oid: org._id, org, role } : null;
  }
}
