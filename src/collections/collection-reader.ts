import { Injectable } from '@nestjs/common';
import { CollectionNotFound } from '../items/membership/membership.errors.js';
import type { Org } from '../orgs/data/org.schema.js';
import { toPageOut } from '../pages/page.presenter.js';
import { PagesService } from '../pages/pages.service.js';
import { PresignedFiles, type PresignedResource } from '../storage/presigned-files.js';
import { CollectionFiles } from './collection-files.js';
import { CollectionStatsJob } from './collection-stats-job.js';
import { toCollOut } from './collection.presenter.js';
import type { Collection } from './data/collection.schema.js';
import { CollectionsQueries, type MemberItem } from './data/collections.queries.js';
import type { CollOut } from './dto/collections.dto.js';

/** From this version on, an item's pages are in the database. */
const VERSION_WITH_PAGES = 2;

export interface ReplayRequest {
  readonly origin: string;
  /** True for the view of strangers. */
  readonly isPublic: boolean;
}

/** Presents a collection with everything that replay needs. */
@Injectable()
export class CollectionReader {
  constructor(
    private readonly queries: CollectionsQueries,
    private readonly pages: PagesService,
    private readonly presigned: PresignedFiles,
    private readonly files: CollectionFiles,
    private readonly stats: CollectionStatsJob,
  ) {}

  /** Absolute URL of a thumbnail; null without one. */
  thumbnailUrl(org: Org, { thumbnail }: Collection, origin: string): string | null {
    return thumbnail ? this.presigned.absoluteUrl(org, thumbnail, origin) : null;
  }

  /** A collection without its resources. */
  async plain(org: Org, collection: Collection, origin: string): Promise<CollOut> {
    const runningUpdatesCount = await this.stats.runningCount(org._id, collection._id);
    return toCollOut(collection, { thumbnailUrl: this.thumbnailUrl(org, collection, origin), runningUpdatesCount });
  }

  /** A collection with its resources. Contract: archive §7, `replay.json` and its public form. */
  async replay(org: Org, collection: Collection, { origin, isPublic }: ReplayRequest): Promise<CollOut> {
    const [members, runningUpdatesCount] = await Promise.all([
      this.queries.members(org._id, collection._id),
      this.stats.runningCount(org._id, collection._id),
    ]);
    const hasPages = members.length > 0 && members.every(({ version }) => version === VERSION_WITH_PAGES);
    const ids = members.map(({ _id }) => _id);
    const initialPages = hasPages ? (await this.pages.initialPages(org._id, ids)).map(toPageOut) : [];
    const base = `${origin}/api/orgs/${org._id}/collections/${collection._id}`;
    // A given slug may be any text.
    const slugs = `${origin}/api/public/orgs/${org.slug}/collections/${encodeURIComponent(collection.slug)}`;
    return toCollOut(collection, {
      thumbnailUrl: this.thumbnailUrl(org, collection, origin),
      runningUpdatesCount,
      resources: await this.withRequired(org, members),
      initialPages,
      pagesQueryUrl: hasPages ? `${base}${isPublic ? '/public' : ''}/pages` : '',
      downloadUrl: isPublic ? `${slugs}/download` : null,
    });
  }

  /** Files of the members in any state: the newest item first, in file order within an item. */
  resources(org: Org, members: readonly MemberItem[]): PresignedResource[] {
    return this.presigned.resources(
      org,
      members.map(({ _id, files }) => ({ itemId: _id, files })),
    );
  }

  /** Files of the members, and of the items to which they refer. */
  private async withRequired(org: Org, members: readonly MemberItem[]): Promise<PresignedResource[]> {
    return this.presigned.resources(org, await this.files.of(org._id, members));
  }

  async resourcesOf(org: Org, collectionId: string): Promise<PresignedResource[]> {
    return this.withRequired(org, await this.queries.members(org._id, collectionId));
  }

  /** Files of every item of the org. */
  async allResources(org: Org): Promise<PresignedResource[]> {
    return this.withRequired(org, await this.queries.allItems(org._id));
  }
}

/** @throws CollectionNotFound */
export function found(collection: Collection | null): Collection {
  if (!collection) throw new CollectionNotFound();
  return collection;
}

/** Lets only public and unlisted collections pass, which need no login. @throws CollectionNotFound */
export function openToAll(collection: Collection | null): Collection {
  if (!collection || (collection.access !== 'public' && collection.access !== 'unlisted'))
    throw new CollectionNotFound();
  return collection;
}
