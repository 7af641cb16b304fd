import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { listsTag } from '../../common/http/entity-tags.js';
import type { NamedDownload } from '../../items/item-downloads.js';
import { CollectionNotFound } from '../../items/membership/membership.errors.js';
import type { Org } from '../../orgs/data/org.schema.js';
import { OrgsRepository } from '../../orgs/data/orgs.repository.js';
import { ObjectNotFound } from '../../storage/storage.errors.js';
import { Storages } from '../../storage/storages.js';
import { CollectionDownloads } from '../replay/collection-downloads.js';
import { CollectionLists } from '../collection-lists.js';
import { CollectionReader, openToAll } from '../collection-reader.js';
import { toPublicCollOut } from '../collection.presenter.js';
import { DownloadNotAllowed, PublicProfileNotFound, ThumbnailNotFound } from '../collections.errors.js';
import type { Collection } from '../data/collection.schema.js';
import { CollectionsRepository } from '../data/collections.repository.js';
import type { PublicCollectionPath, PublicCollectionsQuery } from '../dto/collection-queries.dto.js';
import type { OrgPublicCollections, PublicCollOut } from '../dto/public-collections.dto.js';

/** Only an existing image has this header: its absence must not be cached. */
const THUMBNAIL_CACHING = 'max-age=3600, stale-while-revalidate=86400';

/** Finds collections by the slugs of org and collection. */
@Injectable()
export class PublicCollections {
  constructor(
    private readonly orgs: OrgsRepository,
    private readonly collections: CollectionsRepository,
    private readonly lists: CollectionLists,
    private readonly reader: CollectionReader,
    private readonly downloads: CollectionDownloads,
    private readonly storages: Storages,
  ) {}

  /** @throws PublicProfileNotFound, InvalidSortBy, InvalidSortDirection */
  async list(orgSlug: string, query: PublicCollectionsQuery, origin: string): Promise<OrgPublicCollections> {
    const org = await this.orgs.findBySlug(orgSlug);
    if (!org?.enablePublicProfile) throw new PublicProfileNotFound();
    const found = await this.lists.sorted(org._id, { access: 'public' }, query);
    return {
      org: { name: org.name, description: org.publicDescription ?? '', url: org.publicUrl ?? '' },
      collections: found.map((one) =>
        toPublicCollOut(one, org, { thumbnailUrl: this.reader.thumbnailUrl(org, one, origin) }),
      ),
    };
  }

  /** The org's profile need not be public. @throws CollectionNotFound */
  async get(path: PublicCollectionPath, origin: string): Promise<PublicCollOut> {
    const { org, collection } = await this.bySlugs(path);
    const [{ runningUpdatesCount }, resources] = await Promise.all([
      this.reader.plain(org, collection, origin),
      this.reader.resourcesOf(org, collection._id),
    ]);
    const thumbnailUrl = this.reader.thumbnailUrl(org, collection, origin);
    return toPublicCollOut(collection, org, { thumbnailUrl, runningUpdatesCount, resources });
  }

  /** @throws CollectionNotFound, DownloadNotAllowed */
  async download(path: PublicCollectionPath): Promise<NamedDownload> {
    const { org, collection } = await this.bySlugs(path);
    if (collection.allowPublicDownload === false) throw new DownloadNotAllowed();
    return this.downloads.of(org, collection);
  }

  /** @param known value of `If-None-Match` @throws CollectionNotFound, ThumbnailNotFound */
  async sendThumbnail(path: PublicCollectionPath, known: string | undefined, response: ServerResponse): Promise<void> {
    const { org, collection } = await this.bySlugs(path);
    const { thumbnail } = collection;
    if (!thumbnail) throw new ThumbnailNotFound();
    const caching = { Etag: `"${thumbnail.hash}"`, 'Cache-Control': THUMBNAIL_CACHING };
    if (listsTag(known, caching.Etag)) {
      response.writeHead(304, caching).end();
      return;
    }
    try {
      const { body } = await this.storages.resolve(org, thumbnail.storage).get(thumbnail.filename);
      response.writeHead(200, {
        'Content-Type': thumbnail.mime,
        'Content-Length': thumbnail.size,
        ...caching,
      });
      await pipeline(body, response);
    } catch (error) {
      if (error instanceof ObjectNotFound) throw new ThumbnailNotFound();
      if (!response.headersSent) throw error;
      response.destroy();
    }
  }

  /** The slug's present holder, otherwise its former one. @throws CollectionNotFound */
  async bySlugs(path: PublicCollectionPath): Promise<{ org: Org; collection: Collection }> {
    const org = await this.orgs.findBySlug(path.org_slug);
    if (!org) throw new CollectionNotFound();
    const collection =
      (await this.collections.findBySlug(org._id, path.coll_slug)) ??
      (await this.collections.findByPreviousSlug(org._id, path.coll_slug));
    return { org, collection: openToAll(collection) };
  }
}
