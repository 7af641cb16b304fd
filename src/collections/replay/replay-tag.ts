import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock/clock.js';
import { newId } from '../../common/ids/uuid.js';
import { AppConfig } from '../../config/app-config.js';
import { JobsRepository } from '../../jobs/data/jobs.repository.js';
import type { Org } from '../../orgs/data/org.schema.js';
import { PagesQueries } from '../../pages/data/pages.queries.js';
import type { ReplayRequest } from '../collection-reader.js';
import { CollectionStatsJob } from '../collection-stats-job.js';
import type { Collection } from '../data/collection.schema.js';

/** Part of a URL's lifetime that an unchanged answer may be older than its URLs' renewal. */
const REVALIDATED_SHARE = 0.05;
/** Times are stored in whole seconds, by clocks of several machines: within this long a second change may look alike. */
const SETTLED_MS = 2_000;

/** What an answer holds and the collection's document does not tell. */
export interface ReplayChanges {
  /** Whether the figures are about to change: 0 or 1. */
  readonly running: number;
  /** The last change of each kind in the org, which are its pages' reviews and its files' copies. */
  readonly last: { id: string; at: Date }[];
}

/**
 * Validator of a collection's `replay.json`, known from a few indexed reads without computing the answer. Any change
 * of the answer changes it, and some changes elsewhere in the org do too; URLs are given time to be renewed, which is
 * why it is weak.
 */
@Injectable()
export class ReplayTag {
  constructor(
    private readonly stats: CollectionStatsJob,
    private readonly pages: PagesQueries,
    private readonly jobs: JobsRepository,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  /** Read before the answer, so that a change between the two is only noticed once more. */
  async changes(oid: string, collectionId: string): Promise<ReplayChanges> {
    const [running, review, copy] = await Promise.all([
      this.stats.runningCount(oid, collectionId),
      this.pages.lastReview(oid),
      this.jobs.lastFinished(oid, 'create-replica'),
    ]);
    return { running, last: [review, copy].filter((change) => change !== null) };
  }

  of(org: Org, collection: Collection, changes: ReplayChanges, { origin, isPublic }: ReplayRequest): string {
    const now = this.clock.nowMs();
    const windowMs = Math.max(this.config.storage.presignSeconds * REVALIDATED_SHARE, 1) * 1000;
    const state = {
      collection,
      changes,
      // Never the same twice.
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
