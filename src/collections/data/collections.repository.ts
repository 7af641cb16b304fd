import { Injectable } from '@nestjs/common';
import { IGNORE_CASE_AND_ACCENTS } from '../../database/org-scoped.js';
import type { Tx } from '../../database/unit-of-work.js';
import type { Collection } from './collection.schema.js';
import { CollectionsReads } from './collections.reads.js';

/** Collections of an org. The items keep the membership. */
@Injectable()
export class CollectionsRepository extends CollectionsReads {
  /** Refuses a name or slug that the org already uses with a duplicate key (`isDuplicateKey`). */
  async insert(oid: string, collection: Omit<Collection, 'oid'>, tx?: Tx): Promise<void> {
    await this.collections.insert(oid, collection, { tx });
  }

  /** The collection that has this slug now. */
  async findBySlug(oid: string, slug: string): Promise<Collection | null> {
    return this.collections.findOne(oid, { slug }, { collation: IGNORE_CASE_AND_ACCENTS });
  }

  /** The collection that had this slug before a renaming. */
  async findByPreviousSlug(oid: string, slug: string): Promise<Collection | null> {
    return this.collections.findOne(oid, { previousSlugs: slug }, { collation: IGNORE_CASE_AND_ACCENTS });
  }

  /** Marks the contents as changed, so that the statistics are computed. @returns false for an unknown collection */
  async touch(oid: string, collectionId: string, modified: Date, tx?: Tx): Promise<boolean> {
    const update = { $set: { modified }, $inc: { changes: 1 } };
    const done = await this.collections.updateOne(oid, { _id: collectionId }, update, { tx });
    return done.matched === 1;
  }

  /** Sets only these fields. @returns false when there is no such collection */
  async set(oid: string, collectionId: string, fields: Partial<Collection>, tx?: Tx): Promise<boolean> {
    const done = await this.collections.updateOne(oid, { _id: collectionId }, { $set: fields }, { tx });
    return done.matched === 1;
  }

  /** @returns the collection before the change; null when there is none or it does not meet `expected` */
  async change(
    oid: string,
    collectionId: string,
    fields: Partial<Collection>,
    { expected = {}, tx }: { expected?: Partial<Collection>; tx?: Tx } = {},
  ): Promise<Collection | null> {
    const filter = { ...expected, _id: collectionId };
    return this.collections.findOneAndUpdate(oid, filter, { $set: fields }, { tx, returns: 'before' });
  }

  /** Removes a slug from former holders when a collection takes it. */
  async forgetPreviousSlug(oid: string, slug: string, tx: Tx): Promise<void> {
    const options = { tx, collation: IGNORE_CASE_AND_ACCENTS };
    await this.collections.updateMany(oid, { previousSlugs: slug }, { $pull: { previousSlugs: slug } }, options);
  }

  /** Keeps a slug that a renaming ended. */
  async rememberSlug(oid: string, collectionId: string, slug: string, tx: Tx): Promise<void> {
    await this.collections.updateOne(oid, { _id: collectionId }, { $addToSet: { previousSlugs: slug } }, { tx });
  }

  /** Ids of all collections of an org. */
  async idsOf(oid: string): Promise<string[]> {
    const ids: string[] = [];
    for await (const { _id } of this.collections.stream(oid, {}, { projection: { _id: 1 } })) ids.push(_id);
    return ids;
  }

  all(oid: string): AsyncGenerator<Collection> {
    return this.collections.stream(oid, {});
  }

  async delete(oid: string, collectionId: string, tx?: Tx): Promise<Collection | null> {
    return this.collections.findOneAndDelete(oid, { _id: collectionId }, tx);
  }

  async deleteAll(oid: string): Promise<void> {
    await this.collections.deleteMany(oid, {});
  }
}
