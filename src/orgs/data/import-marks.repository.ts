import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Collection, Connection, mongo } from 'mongoose';
import type { Tx } from '../../database/unit-of-work.js';
import { uuid } from '../../database/uuid-codec.js';

interface ImportMark {
  /** The org that is being imported. */
  _id: mongo.UUID;
  /** The import that holds the mark, so that one that was taken over notices. */
  owner: string;
  leaseUntil: Date;
}

/** Dead imports that one look takes up. */
const DEAD_AT_ONCE = 100;

/** Who imports which org: one mark per import, held by lease. */
@Injectable()
export class ImportMarksRepository {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** @returns false while another import holds the org */
  async claim(oid: string, owner: string, { now, leaseUntil }: { now: Date; leaseUntil: Date }): Promise<boolean> {
    const filter = { _id: uuid(oid), leaseUntil: { $lt: now } };
    try {
      await this.marks.updateOne(filter, { $set: { owner, leaseUntil } }, { upsert: true });
      return true;
    } catch (error) {
      if ((error as { code?: number }).code !== 11000) throw error;
      return false;
    }
  }

  /** @returns false when another import took the org over */
  async renew(oid: string, owner: string, leaseUntil: Date, tx?: Tx): Promise<boolean> {
    const filter = { _id: uuid(oid), owner };
    return (await this.marks.updateOne(filter, { $set: { leaseUntil } }, { session: tx })).matchedCount === 1;
  }

  async release(oid: string, owner: string): Promise<void> {
    await this.marks.deleteOne({ _id: uuid(oid), owner });
  }

  /** Orgs whose import died: their marks are past the lease. */
  async dead(now: Date): Promise<string[]> {
    const found = await this.marks.find({ leaseUntil: { $lt: now } }, { limit: DEAD_AT_ONCE }).toArray();
    return found.map(({ _id }) => _id.toString());
  }

  private get marks(): Collection<ImportMark> {
    return this.connection.collection<ImportMark>('org_imports');
  }
}
