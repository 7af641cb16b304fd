import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { OrgScoped } from '../../database/org-scoped.js';
import type { Tx } from '../../database/unit-of-work.js';
import { Collection } from './collection.schema.js';

/** The questions that other rooms may ask about collections. */
@Injectable()
export class CollectionsReads {
  protected readonly collections: OrgScoped<Collection>;

  constructor(@InjectModel(Collection.name) model: Model<Collection>) {
    this.collections = new OrgScoped(model);
  }

  async find(oid: string, collectionId: string, tx?: Tx): Promise<Collection | null> {
    return this.collections.findOne(oid, { _id: collectionId }, { tx });
  }

  async exists(oid: string, collectionId: string, tx?: Tx): Promise<boolean> {
    return this.collections.exists(oid, { _id: collectionId }, tx);
  }

  /** Which of the given ids are collections of this org. */
  async existing(oid: string, collectionIds: readonly string[], tx?: Tx): Promise<string[]> {
    const ids = [...new Set(collectionIds)];
    if (ids.length === 0) return [];
    const found = await this.collections.find(
      oid,
      { _id: { $in: ids } },
      { limit: ids.length, projection: { _id: 1 }, tx },
    );
    return found.map(({ _id }) => _id);
  }

  /** Id and name of the given collections, in no particular order. Unknown ids are left out. */
  async namesOf(oid: string, collectionIds: readonly string[]): Promise<{ id: string; name: string }[]> {
    if (collectionIds.length === 0) return [];
    const found = await this.collections.find(
      oid,
      { _id: { $in: [...collectionIds] } },
      { limit: collectionIds.length, projection: { name: 1 } },
    );
    return found.map(({ _id, name }) => ({ id: _id, name }));
  }
}
