import { Injectable } from '@nestjs/common';
import { ROLE } from '../../common/access/access.js';
import type { UserOrgInfoOut, UserOrgInfoOutWithSubs, UserRole } from '../../users/dto/users.dto.js';
import { OrgsQueries, type OrgSummary } from '../data/orgs.queries.js';
import { orgsListedFor, roleIn, type Standing } from '../org-resolver.js';
import { toSubscription } from '../org.presenter.js';

/** The largest number of orgs that are shown with a user (accounts §5). */
const MAX_ORGS = 1000;

const asRole = (stored: number): UserRole =>
  stored >= ROLE.superadmin ? 100 : stored >= ROLE.owner ? 40 : stored >= ROLE.crawler ? 20 : 10;

const toInfo = (org: OrgSummary, role: number): UserOrgInfoOut => ({
  id: org._id,
  name: org.name,
  slug: org.slug,
  default: org.default ?? false,
  role: asRole(role),
});

const isFirst = (org: OrgSummary): number => (org.default ? 0 : 1);
const keyOf = ({ name }: OrgSummary): string => name.toLowerCase();
const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
/** Orders orgs as `GET /users/me` does. */
const byDefaultAndName = (a: OrgSummary, b: OrgSummary): number =>
  isFirst(a) - isFirst(b) || compare(keyOf(a), keyOf(b)) || compare(a._id, b._id);

/** Finds the orgs that are listed with a user. Contract: accounts §5. */
@Injectable()
export class UserOrgs {
  constructor(private readonly queries: OrgsQueries) {}

  /** Returns the orgs where the user has a role. A superuser gets all orgs, with role 100. */
  async of(caller: Standing): Promise<UserOrgInfoOut[]> {
    const orgs = await this.queries.summaries(orgsListedFor(caller), MAX_ORGS);
    return orgs.map((org) => toInfo(org, roleIn(org, caller)));
  }

  /** As `of`, without the orgs that want a second factor which the caller came without. */
  async openTo(caller: Standing): Promise<UserOrgInfoOut[]> {
    const of = { ...orgsListedFor(caller), lenient: caller.lacksFactor ?? false };
    return (await this.queries.summaries(of, MAX_ORGS)).map((org) => toInfo(org, roleIn(org, caller)));
  }

  /** Returns the orgs of many users, with what a superuser sees of each org. */
  async ofMany(userIds: readonly string[]): Promise<Map<string, UserOrgInfoOutWithSubs[]>> {
    const orgs = (await this.queries.summariesOfUsers(userIds)).sort(byDefaultAndName);
    const listed = new Map<string, UserOrgInfoOutWithSubs[]>(userIds.map((id) => [id, []]));
    for (const org of orgs)
      for (const [userId, role] of Object.entries(org.users ?? {}))
        if (role >= ROLE.viewer)
          listed.get(userId)?.push({
            ...toInfo(org, role),
            readOnly: org.readOnly ?? false,
            readOnlyReason: org.readOnlyReason ?? null,
            subscription: toSubscription(org.subscription),
          });
    return listed;
  }
}
