import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock/clock.js';
import { newId } from '../../common/ids/uuid.js';
import { AppConfig } from '../../config/app-config.js';
import { KeptItemsRepository } from '../../items/data/kept-items.repository.js';
import { JobsRepository } from '../../jobs/data/jobs.repository.js';
import type { Org } from '../../orgs/data/org.schema.js';
import { PagesQueries } from '../../pages/data/pages.queries.js';
import type { ReplayRequest } from '../collection-reader.js';
import { CollectionStatsJob } from '../collection-stats-job.js';
import type { Collection } from '../data/collection.schema.js';

/** Share of a URL's lifetime by which an unchanged answer may be older than the renewal of its URLs. */
const REVALIDATED_SHARE = 0.05;
/** Several machines' clocks store times in whole seconds, so a second change may look alike for this long. */
const SETTLED_MS = 2_000;

/** Facts of an answer that the collection's document does not tell. */
export interface ReplayChanges {
  /** Whether the figures are about to change: 0 or 1. */
  readonly running: number;
  /** The org's last change of each kind: reviews of pages, copies of files, deletions of items that others need. */
  readonly last: { id: string; at: Date }[];
}

/**
 * Validator of a collection's `replay.json`. It needs a few indexed reads and not the answer. Each change of the answer
 * changes it; some other changes in the org do too. It is weak because URLs have time to be renewed.
 */
@Injectable()
export class ReplayTag {
  constructor(
    private readonly stats: CollectionStatsJob,
    private readonly pages: PagesQueries,
    private readonly jobs: JobsRepository,
    private readonly kept: KeptItemsRepository,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  /** Reads the changes before the answer, so that a change in between is at worst noticed twice. */
  async changes(oid: string, collectionId: string): Promise<ReplayChanges> {
    const [running, review, copy, kept] = await Promise.all([
      this.stats.runningCount(oid, collectionId),
      this.pages.lastReview(oid),
      this.jobs.lastFinished(oid, 'create-replica'),
      this.kept.lastChange(oid),
    ]);
    return { running, last: [review, copy, kept].filter((change) => change !== null) };
  }

  of(org: Org, collection: Collection, changes: ReplayChanges, { origin, isPublic }: ReplayRequest): string {
    const now = this.clock.nowMs();
    const windowMs = Math.max(this.config.storage.presignSeconds * REVALIDATED_SHARE, 1) * 1000;
    const state = {
      collection,
      changes,
      // A random value, so that the tag differs each time.
      unsettled: changes.last.some(({ at }) => now - at.getTime() < SETTLED_MS) ? newId() : null,
      window: Math.floor(now / windowMs),
      cleared: org.presignedClearedAt ?? null,
      slug: org.slug,
      origin,
      isPublic,
    };
    return `W/"${createHash('sha256').update(JSON.stringify(state)).digest('base64url').slice(0, 27)}"`;
  }
}
