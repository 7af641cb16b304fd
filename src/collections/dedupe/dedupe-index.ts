import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock/clock.js';
import { CrawlJobsRepository } from '../../crawls/data/crawl-jobs.repository.js';
import { DedupeSourcesRepository } from '../../dedupe/data/dedupe-sources.repository.js';
import { DomainEvents } from '../../events/domain-events.js';
import { ItemCollectionsRepository } from '../../items/data/item-collections.repository.js';
import { CollectionNotFound } from '../../items/membership/membership.errors.js';
import { FileRemover } from '../../objects/file-remover.js';
import { FileDeletionError } from '../../objects/objects.errors.js';
import { OrgUsage } from '../../orgs/org-usage.js';
import {
  DedupeIndexInUse,
  DedupeIndexNotReady,
  IndexAlreadyExists,
  NoDedupeIndex,
  PurgeJobAlreadyRunning,
} from '../collections.errors.js';
import type { Collection } from '../data/collection.schema.js';
import { CollectionsRepository } from '../data/collections.repository.js';
import { AT_REST, IndexStatesRepository, NO_INDEX } from '../data/index-states.repository.js';
import { IndexUpdateJob } from './index-update-job.js';

const isAtRest = ({ indexState }: Collection): boolean => indexState !== null && AT_REST.includes(indexState);

/**
 * The dedupe index of a collection: what its items hold already. Its entries are in the database (room `dedupe`), so
 * nothing is loaded or saved. Contract: archive §7.3; docs/dedupe.md.
 */
@Injectable()
export class DedupeIndex {
  constructor(
    private readonly collections: CollectionsRepository,
    private readonly states: IndexStatesRepository,
    private readonly sources: DedupeSourcesRepository,
    private readonly items: ItemCollectionsRepository,
    private readonly update: IndexUpdateJob,
    private readonly jobs: CrawlJobsRepository,
    private readonly usage: OrgUsage,
    private readonly files: FileRemover,
    private readonly events: DomainEvents,
    private readonly clock: Clock,
  ) {}

  /** Makes an index of the collection's items. @throws CollectionNotFound, IndexAlreadyExists */
  async create(oid: string, collectionId: string): Promise<void> {
    if (!(await this.collections.exists(oid, collectionId))) throw new CollectionNotFound();
    if (!(await this.make(oid, collectionId))) throw new IndexAlreadyExists();
  }

  /** Makes an index unless there is one, or no such collection. */
  async enable(oid: string, collectionId: string): Promise<void> {
    const collection = await this.collections.find(oid, collectionId);
    if (collection && !collection.indexState) await this.make(oid, collectionId);
  }

  /**
   * Forgets everything and reads the members anew.
   * @throws NoDedupeIndex, DedupeIndexNotReady, PurgeJobAlreadyRunning
   */
  async purge(oid: string, collectionId: string): Promise<void> {
    const collection = await this.collections.find(oid, collectionId);
    if (!collection?.indexState) throw new NoDedupeIndex();
    if (!isAtRest(collection)) throw new DedupeIndexNotReady();
    await this.events.transact(async (tx) => {
      if (!(await this.states.purge(oid, collectionId, this.clock.now(), tx))) throw new PurgeJobAlreadyRunning();
      await this.sources.purge({ oid, collectionId }, tx);
      await this.update.start(oid, collectionId, tx);
    });
    this.update.wake();
  }

  /** @param forget true: workflows stop using it @throws NoDedupeIndex, DedupeIndexInUse, FileDeletionError */
  async delete(oid: string, collectionId: string, forget: boolean): Promise<void> {
    const { plan } = await this.events.transact(async (tx, record) => {
      const before = await this.collections.change(oid, collectionId, NO_INDEX, { tx });
      if (!before?.indexState) throw new NoDedupeIndex();
      if (!isAtRest(before) && (await this.jobs.usesDedupeIndex(oid, collectionId))) throw new DedupeIndexInUse();
      if (forget) record('collection.indexDeleted', { oid, collectionId });
      await this.sources.purge({ oid, collectionId }, tx);
      await this.update.start(oid, collectionId, tx);
      const { indexFile } = before;
      if (!indexFile) return { plan: null };
      await this.usage.addBytes(oid, 'dedupeIndex', -indexFile.size, tx);
      const { filename, hash, size, storage, replicas } = indexFile;
      return { plan: await this.files.plan(oid, [{ filename, hash, size, storage, replicas }], tx) };
    });
    this.update.wake();
    if (!(await this.files.carryOut(plan))) throw new FileDeletionError();
  }

  /** @returns false when there is an index, or no such collection */
  private async make(oid: string, collectionId: string): Promise<boolean> {
    const isMade = await this.events.transact(async (tx) => {
      const hasItems = await this.items.hasSuccessful(oid, collectionId, tx);
      const state = hasItems ? 'importing' : 'idle';
      if (!(await this.states.create(oid, collectionId, state, this.clock.now(), tx))) return false;
      if (hasItems) await this.update.start(oid, collectionId, tx);
      return true;
    });
    if (isMade) this.update.wake();
    return isMade;
  }
}
