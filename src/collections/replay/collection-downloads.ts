import { Injectable } from '@nestjs/common';
import { ItemDownloads, type NamedDownload } from '../../items/item-downloads.js';
import type { Org } from '../../orgs/data/org.schema.js';
import type { Collection } from '../data/collection.schema.js';
import { CollectionFiles } from '../collection-files.js';
import { CollectionsQueries } from '../data/collections.queries.js';

/** Sends a collection as one file. Contract: archive §3, §7. */
@Injectable()
export class CollectionDownloads {
  constructor(
    private readonly queries: CollectionsQueries,
    private readonly downloads: ItemDownloads,
    private readonly files: CollectionFiles,
  ) {}

  /** An empty collection gives a package with its description only. */
  async of(org: Org, { _id: id, name, description }: Collection): Promise<NamedDownload> {
    const members = await this.queries.members(org._id, id);
    const sources = await this.files.of(org._id, members);
    const metadata = {
      type: 'collection',
      id,
      title: name,
      organization: org.slug,
      ...(description ? { description } : {}),
    };
    return { download: this.downloads.combined(org, sources, metadata), filename: `${name}.wacz` };
  }
}
