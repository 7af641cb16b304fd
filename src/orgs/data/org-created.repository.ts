import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Collection, Connection, mongo } from 'mongoose';
import { uuid } from '../../database/uuid-codec.js';

/** Orgs that were made before they had a date, and what tells it. */
@Injectable()
export class OrgCreatedRepository {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** Streams their ids. */
  async *withoutDate(): AsyncGenerator<string> {
    for await (const { _id } of this.orgs.find({ created: null }, { projection: { _id: 1 } })) yield String(_id);
  }

  /** When the oldest workflow of the org was made. */
  async firstWorkflow(oid: string): Promise<Date | null> {
    const filter = { oid: uuid(oid), created: { $type: 'date' } };
    const options = { sort: { created: 1 }, projection: { created: 1 } } as const;
    const first = await this.connection
      .collection<{ created: Date }>('crawl_configs')
      .findOne(filter as never, options);
    return first?.created ?? null;
  }

  /** @returns false when another process was first */
  async fill(oid: string, created: Date): Promise<boolean> {
    const done = await this.orgs.updateOne({ _id: uuid(oid), created: null }, { $set: { created } });
    return done.modifiedCount === 1;
  }

  private get orgs(): Collection<{ _id: mongo.UUID; created?: Date | null }> {
    return this.connection.collection('organizations');
  }
}
