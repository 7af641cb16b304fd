import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { OrgScoped } from '../../database/org-scoped.js';
import { DownloadLog, type LoggedDownload } from './download-log.schema.js';

/** Downloads that are kept by name; of older ones the number. */
const KEPT = 100;

@Injectable()
export class DownloadLogsRepository {
  private readonly scoped: OrgScoped<DownloadLog>;

  constructor(@InjectModel(DownloadLog.name) logs: Model<DownloadLog>) {
    this.scoped = new OrgScoped(logs);
  }

  async record(oid: string, itemId: string, download: LoggedDownload): Promise<void> {
    const update = { $inc: { count: 1 }, $push: { last: { $each: [download], $slice: -KEPT } } };
    await this.scoped.updateOne(oid, { _id: itemId }, update, { upsert: true });
  }

  of(oid: string, itemId: string): Promise<DownloadLog | null> {
    return this.scoped.findOne(oid, { _id: itemId });
  }

  async deleteOf(oid: string, itemId: string): Promise<void> {
    await this.scoped.deleteMany(oid, { _id: itemId });
  }
}
