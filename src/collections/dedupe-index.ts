import { Injectable } from '@nestjs/common';
import { CrawlJobsRepository } from '../crawls/data/crawl-jobs.repository.js';
import { DedupeCrawlerImageNotDefined } from '../drivers/dedupe.errors.js';
import { DomainEvents } from '../events/domain-events.js';
import { FileRemover } from '../objects/file-remover.js';
import { FileDeletionError } from '../objects/objects.errors.js';
import { OrgUsage } from '../orgs/org-usage.js';
import { CollectionNotFound } from '../items/membership/membership.errors.js';
import { DedupeIndexInUse, DedupeIndexNotReady, IndexAlreadyExists, NoDedupeIndex } from './collections.errors.js';
import type { Collection } from './data/collection.schema.js';
import { CollectionsRepository } from './data/collections.repository.js';

const NO_INDEX = {
  indexState: null,
  indexStats: null,
  indexLastSavedAt: null,
  indexFile: null,
  indexDiskSpaceUsed: 0,
} satisfies Partial<Collection>;

const isIdle = ({ indexState }: Collection): boolean => indexState === 'ready' || indexState === 'idle';

/**
 * The dedupe index of a collection. Only a crawler image builds indexes, and no driver of this service runs that image.
 * So none can be made here, and the contract has a code for that. Indexes of a database taken over can be deleted.
 * Contract: archive §7.3; docs/adr/0014.
 */
@Injectable()
export class DedupeIndex {
  constructor(
    private readonly collections: CollectionsRepository,
    private readonly jobs: CrawlJobsRepository,
    private readonly usage: OrgUsage,
    private readonly files: FileRemover,
    private readonly events: DomainEvents,
  ) {}

  /** @throws CollectionNotFound, IndexAlreadyExists, DedupeCrawlerImageNotDefined */
  async create(oid: string, collectionId: string): Promise<never> {
    const collection = await this.collections.find(oid, collectionId);
    if (!collection) throw new CollectionNotFound();
    if (collection.indexState) throw new IndexAlreadyExists();
    throw new DedupeCrawlerImageNotDefined();
  }

  /** @throws NoDedupeIndex, DedupeIndexNotReady, DedupeCrawlerImageNotDefined */
  async purge(oid: string, collectionId: string): Promise<never> {
    const collection = await this.collections.find(oid, collectionId);
    if (!collection?.indexState) throw new NoDedupeIndex();
    if (!isIdle(collection)) throw new DedupeIndexNotReady();
    throw new DedupeCrawlerImageNotDefined();
  }

  /** @param forget true: workflows stop using it @throws NoDedupeIndex, DedupeIndexInUse, FileDeletionError */
  async delete(oid: string, collectionId: string, forget: boolean): Promise<void> {
    const planned = await this.events.transact(async (tx, record) => {
      const before = await this.collections.change(oid, collectionId, NO_INDEX, { tx });
      if (!before?.indexState) throw new NoDedupeIndex();
      if (!isIdle(before) && (await this.jobs.usesDedupeIndex(oid, collectionId))) throw new DedupeIndexInUse();
      if (forget) record('collection.indexDeleted', { oid, collectionId });
      const { indexFile } = before;
      if (!indexFile) return null;
      await this.usage.addBytes(oid, 'dedupeIndex', -indexFile.size, tx);
      const { filename, hash, size, storage, replicas } = indexFile;
      return this.files.plan(oid, [{ filename, hash, size, storage, replicas }], tx);
    });
    if (!(await this.files.carryOut(planned))) throw new FileDeletionError();
  }
}
