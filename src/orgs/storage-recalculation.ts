import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { OneOf } from '../common/validation/fields.js';
import { JobFields } from '../jobs/dto/job-fields.dto.js';
import type { Job } from '../jobs/data/job.schema.js';
import { HandlesJob, type JobContext, type JobHandler } from '../jobs/job-handlers.js';
import { OrgUsageRepository } from './data/org-usage.repository.js';
import { OrgData } from './org-data.js';
import { monthOf } from './rules/quota.rules.js';

/** Number of sums after which the last one is stored as it is, for an org that stores files all the time. */
const ROUNDS = 5;

declare module '../jobs/job-kind.js' {
  interface JobTypes {
    readonly 'recalculate-org-stats': true;
  }
}

export class RecalculateOrgStatsJob extends JobFields {
  @OneOf(['recalculate-org-stats']) type = 'recalculate-org-stats' as const;
}

/** Sums an org's storage from its documents and corrects the counters. Contract: accounts §8.5, D17, D23. */
@HandlesJob({
  type: 'recalculate-org-stats',
  after: 'delete-org',
  body: RecalculateOrgStatsJob,
  idOf: ({ oid }) => `org-stats-${oid}`,
})
@Injectable()
export class StorageRecalculation implements JobHandler {
  readonly concurrency = 1;
  readonly maxTries = 3;

  constructor(
    private readonly data: OrgData,
    private readonly usage: OrgUsageRepository,
    private readonly clock: Clock,
  ) {}

  /**
   * Sums until the counters did not change meanwhile. A file that is stored during the sum would be lost or counted
   * twice.
   */
  async run({ oid }: Job, { signal }: JobContext): Promise<void> {
    if (oid === null) throw new Error('a recalculation without an org');
    for (let round = 1; round <= ROUNDS; round++) {
      signal.throwIfAborted();
      const before = await this.usage.findPurses(oid);
      if (!before) return;
      const bytes = await this.data.bytesStored(oid);
      const sums = {
        bytesStoredCrawls: bytes.crawl,
        bytesStoredUploads: bytes.upload,
        bytesStoredProfiles: bytes.profile,
        bytesStoredSeedFiles: bytes.seedFile,
        bytesStoredThumbnails: bytes.thumbnail,
        bytesStoredDedupeIndexes: bytes.dedupeIndex,
      };
      const expected = round === ROUNDS ? undefined : (before.bytesStored ?? 0);
      if (await this.usage.setBytes(oid, sums, { month: monthOf(this.clock.now()), expected })) return;
    }
  }
}
