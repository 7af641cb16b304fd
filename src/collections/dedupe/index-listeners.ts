import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock/clock.js';
import { CrawlJobsRepository } from '../../crawls/data/crawl-jobs.repository.js';
import type { DomainEvent } from '../../events/event-types.js';
import { OnFact } from '../../events/on-fact.js';
import { ItemsRepository } from '../../items/data/items.repository.js';
import { IndexStatesRepository } from '../data/index-states.repository.js';
import { IndexUpdateJob } from './index-update-job.js';

/** Lets dedupe indexes follow their collections and crawls. A repeated event only compares again. */
@Injectable()
export class IndexListeners {
  constructor(
    private readonly states: IndexStatesRepository,
    private readonly update: IndexUpdateJob,
    private readonly items: ItemsRepository,
    private readonly crawls: CrawlJobsRepository,
    private readonly clock: Clock,
  ) {}

  @OnFact(['collection.itemsAdded', 'collection.itemsRemoved'], 'collections.dedupe-index')
  async itemsChanged({
    payload: { oid, collectionId },
  }: DomainEvent<'collection.itemsAdded' | 'collection.itemsRemoved'>): Promise<void> {
    await this.changed(oid, [collectionId]);
  }

  @OnFact('item.deleted', 'collections.dedupe-index')
  async itemDeleted({ payload: { oid, collectionIds } }: DomainEvent<'item.deleted'>): Promise<void> {
    await this.changed(oid, collectionIds);
  }

  @OnFact(['upload.finished', 'item.filesChanged'], 'collections.dedupe-index')
  async itemChanged({ payload }: DomainEvent<'upload.finished' | 'item.filesChanged'>): Promise<void> {
    const item = await this.items.findById(payload.oid, payload.itemId);
    await this.changed(payload.oid, item?.collectionIds ?? []);
  }

  @OnFact('crawl.started', 'collections.dedupe-index')
  async crawlStarted({ payload: { oid, crawlId } }: DomainEvent<'crawl.started'>): Promise<void> {
    const collectionId = (await this.items.findById(oid, crawlId))?.dedupeCollId;
    if (!collectionId || !(await this.crawls.usesDedupeIndex(oid, collectionId))) return;
    await this.states.use(oid, collectionId, this.clock.now());
  }

  @OnFact('crawl.finished', 'collections.dedupe-index')
  async crawlFinished({ payload: { oid, crawlId } }: DomainEvent<'crawl.finished'>): Promise<void> {
    const crawl = await this.items.findById(oid, crawlId);
    const collectionId = crawl?.dedupeCollId;
    if (!collectionId) return;
    // What it captured comes next, before any other crawl of the collection.
    if (crawl.collectionIds?.includes(collectionId)) await this.changed(oid, [collectionId]);
    else if (!(await this.crawls.usesDedupeIndex(oid, collectionId)))
      await this.states.rest(oid, collectionId, this.clock.now());
  }

  /** Crawls that come next wait for the update, so the state says at once that there is one. */
  private async changed(oid: string, collectionIds: readonly string[]): Promise<void> {
    for (const collectionId of collectionIds)
      if (await this.states.beginUpdate(oid, collectionId, this.clock.now()))
        await this.update.start(oid, collectionId);
  }
}
