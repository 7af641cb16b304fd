import { Injectable } from '@nestjs/common';
import { OrgUsage } from '../orgs/org-usage.js';
import { quotasOf } from '../orgs/quota.rules.js';
import type { FinalState } from '../items/data/item-state.schema.js';
import { RunsRepository } from './data/runs.repository.js';
import type { RunContext } from './run-kind.js';

export type Gate =
  | { readonly open: true }
  | { readonly open: false; readonly skip: FinalState }
  | { readonly open: false; readonly wait: 'waiting_org_limit' };

const OPEN: Gate = { open: true };

/** Decides whether a run that has not started may. Contract: crawling §10.2, §10.3. */
@Injectable()
export class RunGates {
  constructor(
    private readonly runs: RunsRepository,
    private readonly usage: OrgUsage,
  ) {}

  async check({ job, org }: RunContext): Promise<Gate> {
    if (this.usage.isStorageQuotaReached(org)) return { open: false, skip: 'skipped_storage_quota_reached' };
    if (this.usage.isExecMinutesQuotaReached(org)) return { open: false, skip: 'skipped_time_quota_reached' };
    const { maxConcurrentCrawls } = quotasOf(org);
    if (maxConcurrentCrawls <= 0) return OPEN;
    const first = await this.runs.oldestActive(job.oid, maxConcurrentCrawls);
    return first.length < maxConcurrentCrawls || first.includes(job._id)
      ? OPEN
      : { open: false, wait: 'waiting_org_limit' };
  }
}
