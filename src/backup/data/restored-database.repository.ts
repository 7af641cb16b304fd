import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import mongoose, { type Connection, type mongo } from 'mongoose';
import { decode } from '../../database/uuid-codec.js';
import { UNFINISHED_RESTORE } from '../../database/unfinished-restore.js';
import type { CustomStorage } from '../../orgs/data/org.schema.js';

const { BSON } = mongoose.mongo;
/** Every value is written back with the type that it had. */
const AS_STORED = { promoteValues: false, promoteLongs: false, promoteBuffers: false, bsonRegExp: true } as const;
/** Documents and bytes that are sent at once. */
const BATCH = { documents: 1_000, bytes: 8 * 1024 * 1024 };
/** Whoever has started a service once has an org and an administrator. What follows is somebody's. */
const OWNED = [
  'crawls',
  'crawl_configs',
  'collections',
  'profiles',
  'file_uploads',
  'retained_items',
  'pages',
  'invites',
];
const MADE_BY_A_START = ['organizations', 'users'];

/** Writes the documents of a backup into a database. */
@Injectable()
export class RestoredDatabaseRepository {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  get name(): string {
    return this.connection.name;
  }

  /** What the database holds that somebody may want to keep; null when that is nothing. */
  async whatItHolds(): Promise<string | null> {
    for (const name of MADE_BY_A_START)
      if ((await this.db.collection(name).find({}, { limit: 2 }).toArray()).length > 1) return name;
    for (const name of OWNED) if (await this.db.collection(name).findOne({}, { projection: { _id: 1 } })) return name;
    return null;
  }

  /** Id of the backup whose restore was interrupted; null when there is none. */
  async unfinished(): Promise<string | null> {
    const mark = await this.db.collection<{ backup: string }>(UNFINISHED_RESTORE).findOne({});
    return mark?.backup ?? null;
  }

  /** No service starts on the database from now on, until `finish`. */
  async begin(backup: string): Promise<void> {
    await this.db.collection(UNFINISHED_RESTORE).updateOne({}, { $set: { backup } }, { upsert: true });
  }

  async finish(): Promise<void> {
    await this.db.collection(UNFINISHED_RESTORE).drop();
  }

  /** Drops every collection but the mark. */
  async clear(): Promise<void> {
    const found = await this.db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
    for (const { name } of found)
      if (!name.startsWith('system.') && name !== UNFINISHED_RESTORE) await this.db.collection(name).drop();
  }

  /** Drops the whole database. It is for one that was made to be dropped. */
  async drop(): Promise<void> {
    await this.db.dropDatabase();
  }

  /** Inserts documents, given as BSON. @returns their number */
  async insert(name: string, documents: AsyncIterable<Buffer>): Promise<number> {
    const collection = this.db.collection(name);
    let batch: mongo.Document[] = [];
    let [bytes, count] = [0, 0];
    const send = async (): Promise<void> => {
      if (batch.length > 0) await collection.insertMany(batch, { ordered: false });
      count += batch.length;
      [batch, bytes] = [[], 0];
    };
    for await (const document of documents) {
      batch.push(BSON.deserialize(document, AS_STORED));
      bytes += document.length;
      if (batch.length >= BATCH.documents || bytes >= BATCH.bytes) await send();
    }
    await send();
    return count;
  }

  private get db(): mongo.Db {
    const { db } = this.connection;
    if (!db) throw new Error('not connected');
    return db as unknown as mongo.Db;
  }
}

/** The own storages of an org, of its document as BSON. */
export function ownStoragesIn(org: Buffer): { oid: string; storages: Readonly<Record<string, CustomStorage>> | null } {
  const { _id: oid, customStorages } = decode(BSON.deserialize(org, { promoteBuffers: false })) as unknown as {
    _id: string;
    customStorages?: Record<string, CustomStorage> | null;
  };
  return { oid, storages: customStorages ?? null };
}
