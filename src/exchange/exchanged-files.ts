import { Injectable } from '@nestjs/common';
import { CollectionsQueries } from '../collections/data/collections.queries.js';
import { CollectionsReads } from '../collections/data/collections.reads.js';
import type { PublicCollectionPath } from '../collections/dto/collection-queries.dto.js';
import { PublicCollections } from '../collections/public/public-collections.js';
import { showsFiles } from '../items/data/item-state.facts.js';
import { ItemReader } from '../items/item-reader.js';
import { NoCrawlResources } from '../items/items.errors.js';
import { CollectionNotFound } from '../items/membership/membership.errors.js';
import { RequiredItems } from '../items/required-items.js';
import type { StoredFile } from '../objects/data/stored-file.schema.js';
import type { Org } from '../orgs/data/org.schema.js';

/** The files of an item or a collection, in the org that holds them. */
export interface OrgFiles {
  readonly org: Org;
  readonly files: readonly StoredFile[];
}

/** Finds the files that are exchanged: those that replay shows, and by the same rules. */
@Injectable()
export class ExchangedFiles {
  constructor(
    private readonly items: ItemReader,
    private readonly required: RequiredItems,
    private readonly collections: CollectionsReads,
    private readonly members: CollectionsQueries,
    private readonly published: PublicCollections,
  ) {}

  /**
   * @param withDependencies whether to add the files of the items that this one refers to, also of deleted ones
   * @throws ItemNotFound, NoCrawlResources
   */
  async ofItem(org: Org, itemId: string, withDependencies = false): Promise<OrgFiles> {
    const item = await this.items.get(org._id, itemId);
    if (!showsFiles(item.state) || item.files.length === 0) throw new NoCrawlResources();
    const ids = withDependencies ? (item.requiresCrawls ?? []) : [];
    const others = await this.required.find(org._id, ids);
    return { org, files: [item, ...others].flatMap(({ files }) => files) };
  }

  /** @throws CollectionNotFound */
  async ofCollection(org: Org, collectionId: string): Promise<OrgFiles> {
    if (!(await this.collections.exists(org._id, collectionId))) throw new CollectionNotFound();
    return this.membersOf(org, collectionId);
  }

  /** @throws CollectionNotFound for a private collection too */
  async ofPublicCollection(path: PublicCollectionPath): Promise<OrgFiles> {
    const { org, collection } = await this.published.bySlugs(path);
    return this.membersOf(org, collection._id);
  }

  private async membersOf(org: Org, collectionId: string): Promise<OrgFiles> {
    const members = await this.members.members(org._id, collectionId);
    return { org, files: members.flatMap(({ files }) => files) };
  }
}
