import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { PageBounds, SortDirection } from '../../common/pagination/page.js';
import { OrgScoped } from '../../database/org-scoped.js';
import type { Tx } from '../../database/unit-of-work.js';
import { decode, uuid } from '../../database/uuid-codec.js';
import { SeedFile } from './seed-file.schema.js';

@Injectable()
export class SeedFilesRepository {
  private readonly files: OrgScoped<SeedFile>;

  constructor(@InjectModel(SeedFile.name) private readonly model: Model<SeedFile>) {
    this.files = new OrgScoped(model);
  }

  async find(oid: string, fileId: string, tx?: Tx): Promise<SeedFile | null> {
    return this.files.findOne(oid, { _id: fileId }, { tx });
  }

  async list(
    oid: string,
    bounds: PageBounds,
    sort: { field: string; direction: SortDirection } | null,
  ): Promise<SeedFile[]> {
    const { field, direction } = sort ?? { field: 'created', direction: 1 };
    const options = { sort: { [field]: direction, _id: direction }, hint: { oid: 1, [field]: 1, _id: 1 } } as const;
    return this.files.find(oid, {}, { ...bounds, ...options });
  }

  async count(oid: string): Promise<number> {
    return this.files.count(oid, {});
  }

  /** Sum of the org's seed files, bytes. */
  async totalSize(oid: string): Promise<number> {
    const [sum] = await this.files.aggregate<{ bytes: number }>(oid, [
      { $group: { _id: null, bytes: { $sum: '$size' } } },
    ]);
    return sum?.bytes ?? 0;
  }

  /**
   * Marks a file as taken by a workflow in the workflow's own transaction, so that it conflicts with a deletion.
   * @returns false when the file is gone
   */
  async take(oid: string, fileId: string, takenAt: Date, tx: Tx): Promise<boolean> {
    return (await this.files.updateOne(oid, { _id: fileId }, { $set: { takenAt } }, { tx })).matched === 1;
  }

  async insert(file: SeedFile, tx?: Tx): Promise<void> {
    await this.files.insert(file.oid, file, { tx });
  }

  /** @returns the deleted record, or null when somebody else deleted it */
  async delete(oid: string, fileId: string, tx?: Tx): Promise<SeedFile | null> {
    return this.files.findOneAndDelete(oid, { _id: fileId }, tx);
  }

  /** Seed files of all orgs made before a moment, oldest first; `after` continues after a file. */
  async findOldAcrossOrgs(before: Date, after: SeedFile | null, limit: number): Promise<SeedFile[]> {
    // This is a pipeline, because Mongoose has no order of UUIDs.
    const behind = after
      ? { $or: [{ created: { $gt: after.created } }, { created: after.created, _id: { $gt: uuid(after._id) } }] }
      : {};
    const found = await this.model
      .aggregate<SeedFile>([
        { $match: { type: 'seedFile', created: { $lt: before }, ...behind } },
        { $sort: { created: 1, _id: 1 } },
        { $limit: limit },
      ])
      .exec();
    return decode(found);
  }
}
