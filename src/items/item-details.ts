import { Injectable } from '@nestjs/common';
import { CollectionsReads } from '../collections/data/collections.reads.js';
import type { Org } from '../orgs/data/org.schema.js';
import { OrgUsage } from '../orgs/org-usage.js';
import type { PageOut } from '../pages/dto/pages.dto.js';
import { toPageOut } from '../pages/page.presenter.js';
import { PagesService } from '../pages/pages.service.js';
import { ProfilesRepository } from '../profiles/data/profiles.repository.js';
import { PresignedFiles } from '../storage/presigned-files.js';
import { toConfigOut } from './crawl-config.presenter.js';
import type { Item } from './data/item.schema.js';
import { showsFiles } from './data/item-state.facts.js';
import type { CrawlOutWithResources } from './dto/items.dto.js';
import { toCrawlOut } from './item.presenter.js';
import { RequiredItems, type RequiredItem } from './required-items.js';

export interface DetailOptions {
  /** Whether to add the files of the items to whose payloads this one refers. */
  readonly withDependencies: boolean;
  /** Base of absolute URLs in the answer, from `Links.inAnswer`. */
  readonly origin: string;
}

/** The version of items whose pages are in the database. Older items show no pages (crawling §5.3). */
const VERSION_WITH_PAGES = 2;

/** Builds `replay.json`: an item with everything that replay needs. Contract: crawling §5.3. */
@Injectable()
export class ItemDetails {
  constructor(
    private readonly required: RequiredItems,
    private readonly presigned: PresignedFiles,
    private readonly pages: PagesService,
    private readonly collections: CollectionsReads,
    private readonly profiles: ProfilesRepository,
    private readonly usage: OrgUsage,
  ) {}

  async of(org: Org, item: Item, options: DetailOptions): Promise<CrawlOutWithResources> {
    const hasPages = item.version === VERSION_WITH_PAGES;
    const [dependencies, collections, initialPages, profileName] = await Promise.all([
      options.withDependencies ? this.dependencies(item) : null,
      this.collections.namesOf(item.oid, item.collectionIds ?? []),
      hasPages ? this.initialPages(item) : [],
      this.profileName(item),
    ]);
    const shown = showsFiles(item.state) ? [{ itemId: item._id, files: item.files }] : [];
    const required = (dependencies ?? []).map(({ itemId, files }) => ({ itemId, files, fromDependency: true }));
    return {
      ...toCrawlOut(item, { profileName }),
      // These fields keep their defaults here. Contract: crawling §5.3.
      activeQAStats: null,
      qaRunCount: 0,
      lastQAState: null,
      lastQAStarted: null,
      config: item.config ? toConfigOut(item.config) : null,
      storageQuotaReached: this.usage.isStorageQuotaReached(org),
      execMinutesQuotaReached: this.usage.isExecMinutesQuotaReached(org),
      ...dependencyFields(item, dependencies),
      resources: this.presigned.resources(org, [...shown, ...required]),
      collections,
      initialPages,
      pagesQueryUrl: hasPages ? this.pagesUrl(item, options.origin) : '',
      downloadUrl: null,
    };
  }

  private async dependencies(item: Item): Promise<RequiredItem[] | null> {
    const ids = item.requiresCrawls ?? [];
    return ids.length > 0 ? this.required.find(item.oid, ids) : null;
  }

  private async initialPages(item: Item): Promise<PageOut[]> {
    return (await this.pages.initialPages(item.oid, [item._id])).map(toPageOut);
  }

  private async profileName(item: Item): Promise<string | null> {
    if (!item.profileid) return null;
    return (await this.profiles.namesOf(item.oid, [item.profileid])).get(item.profileid) ?? '';
  }

  private pagesUrl(item: Item, origin: string): string {
    return `${origin}/api/orgs/${item.oid}/crawls/${item._id}/pagesSearch`;
  }
}

function dependencyFields(
  item: Item,
  found: RequiredItem[] | null,
): Partial<Pick<CrawlOutWithResources, 'fileSizeWithDeps' | 'missingRequiresCrawls'>> {
  if (!found) return {};
  const stored = new Set(found.map(({ itemId }) => itemId));
  return {
    fileSizeWithDeps: item.fileSize + found.reduce((sum, { fileSize }) => sum + fileSize, 0),
    missingRequiresCrawls: (item.requiresCrawls ?? []).filter((id) => !stored.has(id)),
  };
}
