import { Injectable } from '@nestjs/common';
import { ROLE, type OrgAccess, type Principal } from '../common/access/access.js';
import { OrgResolver } from '../common/access/resolvers.js';
import { OrgsRepository } from './data/orgs.repository.js';
import type { Org } from './data/org.schema.js';

/** The caller's role: 100 for a superuser, 0 for someone who is no member. Contract: accounts §7.1. */
export const roleIn = (org: Pick<Org, 'users'>, { id, isSuperuser }: Pick<Principal, 'id' | 'isSuperuser'>): number =>
  isSuperuser ? ROLE.superadmin : (org.users?.[id] ?? 0);

@Injectable()
export class StoredOrgResolver extends OrgResolver {
  constructor(private readonly orgs: OrgsRepository) {
    super();
  }

  override async resolve(oid: string, principal: Principal): Promise<OrgAccess<Org> | null> {
    const org = await this.orgs.findById(oid);
    if (!org) return null;
    const role = roleIn(org, principal);
    return role >= ROLE.viewer ? { oid, org, role } : null;
  }
}
