import { Injectable } from '@nestjs/common';
import type { StorageRefOut } from '../../common/responses/responses.dto.js';
import { JobStarter } from '../../jobs/job-starter.js';
import { Storages } from '../../storage/storages.js';
import { OrgMetricsQueries } from '../data/org-metrics.queries.js';
import { OrgsQueries } from '../data/orgs.queries.js';
import type { Org } from '../data/org.schema.js';
import type { FeatureFlagStats } from '../dto/org-settings.dto.js';
import type { OrgMetrics } from '../dto/orgs.dto.js';
import type { OrgStorageRefs } from '../dto/custom-storages.dto.js';
import { toOrgMetrics } from '../org-metrics.presenter.js';

/** Feature flags of single orgs, as superusers see them. */
const FEATURE_FLAGS = [
  { name: 'dedupeEnabled', description: 'Deduplication: crawls leave out what a collection already holds' },
] as const;

/** Lists of all orgs, figures of one org, and starts of long jobs. Contract: accounts §7.4, §7.5. */
@Injectable()
export class OrgAdmin {
  constructor(
    private readonly queries: OrgsQueries,
    private readonly metricsQueries: OrgMetricsQueries,
    private readonly storages: Storages,
    private readonly jobs: JobStarter,
  ) {}

  async slugs(): Promise<string[]> {
    return (await this.queries.slugs()).map(({ slug }) => slug);
  }

  /** Returns a slug for each org id. */
  async slugLookup(): Promise<Record<string, string>> {
    return Object.fromEntries((await this.queries.slugs()).map(({ _id, slug }) => [_id, slug]));
  }

  async featureFlags(): Promise<FeatureFlagStats[]> {
    const count = (name: string): Promise<number> => this.queries.countWithFlag(name);
    return Promise.all(FEATURE_FLAGS.map(async (flag) => ({ ...flag, count: await count(flag.name) })));
  }

  async metrics(org: Org): Promise<OrgMetrics> {
    return toOrgMetrics(org, await this.metricsQueries.counts(org._id));
  }

  storageRefs(org: Org): OrgStorageRefs {
    return { storage: toRef(org.storage), storageReplicas: (org.storageReplicas ?? []).map(toRef) };
  }

  /** Lists the deployment's storages, then the org's own. */
  allStorages(org: Org): StorageRefOut[] {
    const own = Object.keys(org.customStorages ?? {}).map((name) => ({ name, custom: true }));
    return [...this.storages.defaultRefs, ...own];
  }

  /** Starts the job that deletes everything of the org; the job outlives the org. @returns the job's id */
  delete(oid: string): Promise<string> {
    return this.jobs.start('delete-org', { oid });
  }

  /** Starts the recalculation of the org's storage. @returns the job's id */
  recalculate(oid: string): Promise<string> {
    return this.jobs.start('recalculate-org-stats', { oid });
  }
}

const toRef = ({ name, custom }: { name: string; custom: boolean | null }): StorageRefOut => ({
  name,
  custom: custom ?? false,
});
