import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { findRows } from '../../database/read-rows.js';
import type { Tx } from '../../database/unit-of-work.js';
import { decode } from '../../database/uuid-codec.js';
import { AuditDay } from './audit-day.schema.js';

const BY_DAY = { oid: 1, day: 1 } as const;

/** Closed days. @param oid of every method: the org, or null for the entries that belong to none */
@Injectable()
export class AuditDaysRepository {
  constructor(@InjectModel(AuditDay.name) private readonly days: Model<AuditDay>) {}

  /** Closed days, the newest first. @param before null: from the newest on */
  async list(oid: string | null, before: string | null, limit: number): Promise<AuditDay[]> {
    const filter = { oid, ...(before === null ? {} : { day: { $lt: before } }) };
    return findRows(this.days, filter as QueryFilter<AuditDay>, { sort: { oid: -1, day: -1 }, limit, hint: BY_DAY });
  }

  async find(oid: string | null, day: string): Promise<AuditDay | null> {
    const [found] = await findRows(this.days, { oid, day } as QueryFilter<AuditDay>, { limit: 1 });
    return found ?? null;
  }

  /** Closed days in their order. */
  async *inOrder(oid: string | null): AsyncGenerator<AuditDay> {
    const found = this.days.find({ oid } as QueryFilter<AuditDay>).sort(BY_DAY);
    for await (const day of found.lean().cursor({ batchSize: 100 })) yield decode(day as AuditDay);
  }

  /** The first days up to and with `last`, the oldest first. */
  async upTo(oid: string | null, last: string, limit: number): Promise<AuditDay[]> {
    const filter = { oid, day: { $lte: last } } as QueryFilter<AuditDay>;
    return findRows(this.days, filter, { sort: BY_DAY, limit, hint: BY_DAY });
  }

  async remove(id: string, tx: Tx): Promise<boolean> {
    return (await this.days.deleteOne({ _id: id }, { session: tx }).exec()).deletedCount === 1;
  }
}
