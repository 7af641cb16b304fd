import { Injectable } from '@nestjs/common';
import { ROLE, type OrgAccess, type Principal } from '../common/access/access.js';
import { checkSort, pageBounds, pageOf, type ListPage } from '../common/pagination/page.js';
import { AppConfig } from '../config/app-config.js';
import { UsersRepository } from '../users/data/users.repository.js';
import type { User } from '../users/data/user.schema.js';
import { OrgsQueries, type OrgSort } from './data/orgs.queries.js';
import type { Org } from './data/org.schema.js';
import type { OrgListQuery, OrgOut } from './dto/orgs.dto.js';
import { openTo, roleIn } from './org-resolver.js';
import { toOrgOut } from './org.presenter.js';
import { OrgUsage } from './org-usage.js';

const SORT_FIELDS: Readonly<Record<string, OrgSort['field']>> = {
  name: 'name',
  slug: 'slug',
  readOnly: 'readOnly',
  lastCrawlFinished: 'lastCrawlFinished',
  subscriptionStatus: 'subscription.status',
  subscriptionPlan: 'subscription.planId',
};

/** Shows orgs as the caller may see them. Contract: accounts §7.2, §7.4. */
@Injectable()
export class OrgReader {
  constructor(
    private readonly queries: OrgsQueries,
    private readonly users: UsersRepository,
    private readonly usage: OrgUsage,
    private readonly config: AppConfig,
  ) {}

  /** Lists the orgs of the caller, or all orgs for a superuser. @throws InvalidSortBy, InvalidSortDirection 400 */
  async list(caller: Principal, query: OrgListQuery): Promise<ListPage<OrgOut>> {
    const sort = checkSort(Object.keys(SORT_FIELDS), query.sortBy, query.sortDirection);
    const of = openTo(caller);
    const by = sort && { field: SORT_FIELDS[sort.field] ?? 'name', direction: sort.direction };
    const [orgs, total] = await Promise.all([this.queries.list(of, by, pageBounds(query)), this.queries.count(of)]);
    const members = await this.membersOf(orgs.filter((org) => roleIn(org, caller) >= ROLE.owner));
    return pageOf(
      query,
      total,
      orgs.map((org) => this.present(org, roleIn(org, caller), members)),
    );
  }

  /** Shows one org. Only this answer has the quota flags computed. */
  async detail({ org, role }: OrgAccess<Org>): Promise<OrgOut> {
    const flags = {
      storageQuotaReached: this.usage.isStorageQuotaReached(org),
      execMinutesQuotaReached: this.usage.isExecMinutesQuotaReached(org),
    };
    return toOrgOut(org, { ...(await this.view(org, role)), flags });
  }

  /** Shows one org to the caller, without the quota flags. */
  async summary(org: Org, role: number): Promise<OrgOut> {
    return toOrgOut(org, await this.view(org, role));
  }

  private async view(org: Org, role: number) {
    const members = role >= ROLE.owner ? await this.membersOf([org]) : new Map<string, User>();
    return { role, members };
  }

  private present(org: Org, role: number, members: ReadonlyMap<string, User>): OrgOut {
    return toOrgOut(org, { role, members });
  }

  private async membersOf(orgs: readonly Org[]): Promise<Map<string, User>> {
    const ids = [...new Set(orgs.flatMap((org) => Object.keys(org.users ?? {})))];
    return new Map((await this.users.findByIds(ids)).map((user) => [user.id, user]));
  }
}
