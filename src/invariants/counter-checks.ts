import { Injectable } from '@nestjs/common';
import { CollectionStatsQueries } from '../collections/data/collection-stats.queries.js';
import { isSuccessful } from '../items/data/item-state.facts.js';
import type { Item } from '../items/data/item.schema.js';
import { OrgsRepository } from '../orgs/data/orgs.repository.js';
import { OrgData } from '../orgs/org-data.js';
import { RecountsQueries, type PageRecount } from './data/recounts.queries.js';
import { differences, persisting, type Violation } from './violation.js';

/** From this version on, an item's pages are in the database. */
const VERSION_WITH_PAGES = 2;
const NO_PAGES: PageRecount = { pageCount: 0, uniquePageCount: 0, filePageCount: 0, errorPageCount: 0 };
const NO_CRAWLS = { crawls: 0, crawlCount: 0, crawlSuccessfulCount: 0, totalSize: 0, isCrawlRunning: false };

export type ReportViolation = (violation: Violation) => void;

/** Compares the counters of orgs, workflows, collections and items with a recount. */
@Injectable()
export class CounterChecks {
  constructor(
    private readonly recounts: RecountsQueries,
    private readonly orgs: OrgsRepository,
    private readonly orgData: OrgData,
    private readonly collectionStats: CollectionStatsQueries,
  ) {}

  /** Checks the stored bytes, in sum and by kind. @returns the number of orgs */
  async checkOrgs(found: ReportViolation): Promise<number> {
    let count = 0;
    for await (const oids of this.recounts.orgIds()) {
      for (const oid of oids) (await persisting(() => this.compareOrg(oid))).forEach(found);
      count += oids.length;
    }
    return count;
  }

  /** @returns the number of workflows */
  async checkWorkflows(found: ReportViolation): Promise<number> {
    let count = 0;
    for await (const ids of this.recounts.workflowIds()) {
      (await persisting(() => this.compareWorkflows(ids))).forEach(found);
      count += ids.length;
    }
    return count;
  }

  /** @returns the number of collections */
  async checkCollections(found: ReportViolation): Promise<number> {
    let count = 0;
    for await (const batch of this.recounts.collections()) {
      for (const { oid, _id } of batch) (await persisting(() => this.compareCollection(oid, _id))).forEach(found);
      count += batch.length;
    }
    return count;
  }

  /** Checks files and pages of items, and pages without an item. @returns the number of items */
  async checkItems(found: ReportViolation): Promise<number> {
    let count = 0;
    for await (const ids of this.recounts.itemIds()) {
      (await persisting(() => this.compareItems(ids))).forEach(found);
      count += ids.length;
    }
    (await persisting(() => this.pagesOfNoItem())).forEach(found);
    return count;
  }

  private async compareOrg(oid: string): Promise<Violation[]> {
    const org = await this.orgs.findById(oid);
    if (!org) return [];
    const bytes = await this.orgData.bytesStored(oid);
    const expected = {
      bytesStored: Object.values(bytes).reduce((sum, size) => sum + size, 0),
      bytesStoredCrawls: bytes.crawl,
      bytesStoredUploads: bytes.upload,
      bytesStoredProfiles: bytes.profile,
      bytesStoredSeedFiles: bytes.seedFile,
      bytesStoredThumbnails: bytes.thumbnail,
      bytesStoredDedupeIndexes: bytes.dedupeIndex,
    };
    return differences({ subject: 'org', oid, id: oid }, { ...org } as Record<keyof typeof expected, number>, expected);
  }

  private async compareWorkflows(ids: readonly string[]): Promise<Violation[]> {
    const [workflows, recounts] = await Promise.all([this.recounts.findWorkflows(ids), this.recounts.crawlsOf(ids)]);
    const violations = workflows.flatMap((workflow) => {
      const { _id: id, oid, crawlAttemptCount, isCrawlRunning, ...stored } = workflow;
      const { crawls, ...expected } = recounts.get(id) ?? NO_CRAWLS;
      // Attempts stay counted when their crawls are deleted.
      const attempts = { crawlAttemptCount: Math.max(crawlAttemptCount ?? 0, crawls) };
      return differences(
        { subject: 'workflow', oid, id },
        { ...figuresOf(stored), crawlAttemptCount, isCrawlRunning: isCrawlRunning ?? false },
        { ...expected, ...attempts },
      );
    });
    return this.withoutUntold(violations);
  }

  private async compareCollection(oid: string, id: string): Promise<Violation[]> {
    const collection = await this.recounts.findCollection(id);
    if (!collection) return [];
    const { crawlCount, pageCount, uniquePageCount, totalSize } = await this.collectionStats.compute(oid, id);
    const expected = { crawlCount, pageCount, uniquePageCount, totalSize };
    const violations = differences({ subject: 'collection', oid, id }, figuresOf(collection), expected);
    if (violations.length === 0 || (await this.recounts.isComputing(id))) return [];
    return this.withoutUntold(violations);
  }

  /** Drops differences that pending events and statistics will remove. */
  private async withoutUntold(violations: Violation[]): Promise<Violation[]> {
    const untold = new Set<string | null>();
    for (const oid of new Set(violations.map((violation) => violation.oid)))
      if (oid && (await this.recounts.hasUntoldEvents(oid))) untold.add(oid);
    return violations.filter(({ oid }) => !untold.has(oid));
  }

  private async compareItems(ids: readonly string[]): Promise<Violation[]> {
    const [items, recounts] = await Promise.all([this.recounts.findItems(ids), this.recounts.pagesOf(ids)]);
    return items
      .filter(({ deleted }) => !deleted)
      .flatMap((item) =>
        differences({ subject: 'item', oid: item.oid, id: item._id }, figuresOf(item), {
          fileCount: (item.files ?? []).length,
          fileSize: (item.files ?? []).reduce((sum, { size }) => sum + size, 0),
          ...(countsPages(item) ? (recounts.get(item._id) ?? NO_PAGES) : {}),
        }),
      );
  }

  private async pagesOfNoItem(): Promise<Violation[]> {
    const rows = await this.recounts.pagesOfNoItem();
    return rows.map(({ crawlId, oid, count }) => ({
      ...{ subject: 'pages', oid, id: crawlId, field: 'pages of an item that is gone', stored: count, expected: 0 },
    }));
  }
}

/** The page counts of an item are final when it is complete. */
const countsPages = ({ state, version, isMigrating }: Item): boolean =>
  isSuccessful(state) && version === VERSION_WITH_PAGES && !isMigrating;

/** The numbers in a document. */
const figuresOf = (document: object): Record<string, number> =>
  Object.fromEntries(
    Object.entries(document).filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
  );
