import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { OrgScoped } from '../../database/org-scoped.js';
import type { Tx } from '../../database/unit-of-work.js';
import { decode } from '../../database/uuid-codec.js';
import { KeptItem } from './kept-item.schema.js';

/** More items than this need none. */
const MAX_DEPENDENTS = 100_000;

/** The part of a kept item that readers of its dependents need. */
export type KeptFiles = Pick<KeptItem, '_id' | 'files' | 'fileSize'>;

@Injectable()
export class KeptItemsRepository {
  readonly scoped: OrgScoped<KeptItem>;

  constructor(@InjectModel(KeptItem.name) private readonly model: Model<KeptItem>) {
    this.scoped = new OrgScoped(model);
  }

  async insert(oid: string, kept: Omit<KeptItem, 'oid'>, tx: Tx): Promise<void> {
    await this.scoped.insert(oid, kept, { tx });
  }

  async find(oid: string, itemId: string, tx?: Tx): Promise<KeptItem | null> {
    return this.scoped.findOne(oid, { _id: itemId }, { tx });
  }

  /** Returns those that exist, in no particular order. */
  async findByIds(oid: string, itemIds: readonly string[], tx?: Tx): Promise<KeptItem[]> {
    if (itemIds.length === 0) return [];
    return this.scoped.find(oid, { _id: { $in: [...itemIds] } }, { limit: itemIds.length, tx });
  }

  /** Returns the files of those that are kept and not taken down, in no particular order. */
  async filesOf(oid: string, itemIds: readonly string[]): Promise<KeptFiles[]> {
    if (itemIds.length === 0) return [];
    const projection = { files: 1, fileSize: 1 } as const;
    const filter = { _id: { $in: [...itemIds] }, takenDownAt: null };
    return this.scoped.find(oid, filter, { limit: itemIds.length, projection });
  }

  /** Returns the ids of kept items that need one of the items. */
  async requiring(oid: string, itemId: string, tx: Tx): Promise<string[]> {
    const options = { limit: MAX_DEPENDENTS, projection: { _id: 1 }, tx } as const;
    return (await this.scoped.find(oid, { requiresCrawls: itemId }, options)).map(({ _id }) => _id);
  }

  /** Records that an item needs those of the ids that are kept. */
  async link(oid: string, itemIds: readonly string[], dependent: string, tx: Tx): Promise<void> {
    if (itemIds.length === 0) return;
    await this.scoped.updateMany(oid, { _id: { $in: [...itemIds] } }, { $addToSet: { requiredBy: dependent } }, { tx });
  }

  /** Records that an item which is gone needs these no more; they are looked at next. */
  async unlink(oid: string, itemIds: readonly string[], dependent: string, dueAt: Date, tx: Tx): Promise<void> {
    if (itemIds.length === 0) return;
    const update = { $pull: { requiredBy: dependent }, $set: { dueAt } };
    await this.scoped.updateMany(oid, { _id: { $in: [...itemIds] } }, update, { tx });
  }

  /** Sets when it is looked at whether these are still needed. */
  async setDue(oid: string, itemIds: readonly string[], dueAt: Date, tx: Tx): Promise<void> {
    if (itemIds.length > 0)
      await this.scoped.updateMany(oid, { _id: { $in: [...itemIds] } }, { $set: { dueAt } }, { tx });
  }

  /** Stores what a look found. */
  async looked(oid: string, itemId: string, found: Pick<KeptItem, 'dueAt' | 'requiredBy'>, tx: Tx): Promise<void> {
    await this.scoped.updateOne(oid, { _id: itemId }, { $set: found }, { tx });
  }

  /** Returns what is due longest. @param oid the org, or null for all orgs */
  async due(oid: string | null, now: Date, limit: number): Promise<Pick<KeptItem, '_id' | 'oid'>[]> {
    const filter = { ...(oid ? { oid } : {}), dueAt: { $lte: now } } as QueryFilter<KeptItem>;
    const query = this.model.find(filter, { oid: 1 }).sort({ dueAt: 1 }).limit(limit);
    return decode((await query.lean().exec()) as Pick<KeptItem, '_id' | 'oid'>[]);
  }

  /** Empties the list of files. @returns what it was before, or null when it is gone or was emptied before */
  async takeDown(oid: string, itemId: string, now: Date, tx: Tx): Promise<KeptItem | null> {
    const $set = {
      ...{ files: [], fileSize: 0, fileCount: 0, requiresCrawls: [] },
      ...{ takenDownAt: now, changedAt: now, dueAt: now },
    };
    return this.scoped.findOneAndUpdate(oid, { _id: itemId, takenDownAt: null }, { $set }, { returns: 'before', tx });
  }

  /** Removes the document. @returns what it was, or null when it was already gone */
  async take(oid: string, itemId: string, tx: Tx): Promise<KeptItem | null> {
    return this.scoped.findOneAndDelete(oid, { _id: itemId }, tx);
  }

  /** The org's last change of what readers find here. */
  async lastChange(oid: string): Promise<{ id: string; at: Date } | null> {
    const options = { sort: { changedAt: -1 }, projection: { changedAt: 1 } } as const;
    const last = await this.scoped.findOne(oid, {}, options);
    return last && { id: last._id, at: last.changedAt };
  }
}
