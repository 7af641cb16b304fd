import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { ClientSession, Connection, mongo } from 'mongoose';
import { FileOwners } from '../../objects/data/file-owners.js';
import type { RecordedFile } from '../../objects/data/file-owner.js';
import type { CustomStorage } from '../../orgs/data/org.schema.js';
import { decode } from '../../database/uuid-codec.js';
import { UNFINISHED_RESTORE, UnfinishedRestoreCheck } from '../../database/unfinished-restore.js';
import { BACKUP_STATE_COLLECTION } from './backup-state.schema.js';

/** What tells of the database in use, not of the archive. */
const LEFT_OUT = [BACKUP_STATE_COLLECTION, UNFINISHED_RESTORE];
/** How long the database keeps the moment that is read, seconds. A dump that takes longer fails. */
const WINDOW_SECONDS = 3_600;
const SNAPSHOT_TOO_OLD = 239;
const SNAPSHOT_UNAVAILABLE = 246;
const WINDOW = 'minSnapshotHistoryWindowInSeconds';

/** A file that documents of the snapshot record. */
export interface NamedFile extends RecordedFile {
  readonly oid: string;
  /** The object may be newer than its record. */
  readonly isWrittenOver: boolean;
}

/** The own storages of orgs, by the org's id. */
export type OwnStorages = ReadonlyMap<string, Readonly<Record<string, CustomStorage>>>;

/** The database at one moment, read while it changes. */
export class DatabaseSnapshot {
  constructor(
    private readonly db: mongo.Db,
    private readonly session: ClientSession,
    private readonly owners: FileOwners,
    private readonly at: mongo.Timestamp,
  ) {}

  /** The moment, in whole seconds. */
  get taken(): Date {
    return new Date(this.at.getHighBits() * 1000);
  }

  get clusterTime(): string {
    return `${String(this.at.getHighBitsUnsigned())}.${String(this.at.getLowBitsUnsigned())}`;
  }

  /** Names of the collections, in their order. */
  async collections(): Promise<string[]> {
    const found = await this.db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
    return found
      .map(({ name }) => name)
      .filter((name) => !name.startsWith('system.') && !LEFT_OUT.includes(name))
      .sort();
  }

  /** The documents of a collection, as BSON. */
  async *documents(name: string): AsyncGenerator<Buffer, void, undefined> {
    const found = this.db.collection(name).find({}, { raw: true, session: this.session as never, batchSize: 1000 });
    for await (const bytes of found) {
      const { buffer, byteOffset, byteLength } = bytes as unknown as Uint8Array;
      yield Buffer.from(buffer, byteOffset, byteLength);
    }
  }

  /** The files that documents record. One that two documents record comes twice. */
  async *files(): AsyncGenerator<NamedFile, void, undefined> {
    for (const owner of this.owners.all())
      for await (const file of owner.filesWithin(this.session))
        yield { ...file, isWrittenOver: owner.fields.isWrittenOver ?? false };
  }

  async ownStorages(): Promise<OwnStorages> {
    const fields = { customStorages: 1 };
    const found = this.db
      .collection('organizations')
      .find({ customStorages: { $type: 'object' } }, { session: this.session as never, projection: fields });
    const storages = new Map<string, Readonly<Record<string, CustomStorage>>>();
    for await (const org of found) {
      const { _id, customStorages } = decode(org) as unknown as {
        _id: string;
        customStorages: Record<string, CustomStorage>;
      };
      storages.set(_id, customStorages);
    }
    return storages;
  }

  async close(): Promise<void> {
    await this.session.endSession();
  }
}

/** Reads the database as it was at one moment: no lock is taken, and nobody waits. */
@Injectable()
export class DatabaseSnapshots {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly owners: FileOwners,
  ) {}

  /** Begins to read at the present moment. */
  async open(): Promise<DatabaseSnapshot> {
    const session = await this.connection.startSession({ snapshot: true });
    // The first read chooses the moment of all that follow.
    await this.db.collection('version').findOne({}, { session: session as never });
    const { snapshotTime } = session as unknown as { snapshotTime?: mongo.Timestamp };
    if (!snapshotTime) throw new Error('the database has no snapshot reads: they need MongoDB 5.0 and a replica set');
    return new DatabaseSnapshot(this.db, session, this.owners, snapshotTime);
  }

  /**
   * Whether the moment can no longer be read, so that a new one has to be chosen: the dump took too long, or an index
   * was made meanwhile.
   */
  isGone(error: unknown): boolean {
    const { code } = error as { code?: unknown };
    return code === SNAPSHOT_TOO_OLD || code === SNAPSHOT_UNAVAILABLE;
  }

  /** Id of the database, which a restored one has too. @throws RestoreUnfinished */
  async installation(): Promise<string> {
    await new UnfinishedRestoreCheck(this.connection).run();
    const version = await this.db.collection('version').findOne({});
    if (!version) throw new Error('no service has used the database yet');
    return String(version._id);
  }

  /** Bytes of all documents. */
  async dataBytes(): Promise<number> {
    const { dataSize } = (await this.db.command({ dbStats: 1 })) as { dataSize: number };
    return dataSize;
  }

  /**
   * Makes the database keep snapshots for an hour.
   * @returns what was set before, seconds; null where the service's database user may not set it
   */
  async widenWindow(): Promise<number | null> {
    try {
      const { [WINDOW]: before } = (await this.db.admin().command({ getParameter: 1, [WINDOW]: 1 })) as {
        [WINDOW]: number;
      };
      if (before < WINDOW_SECONDS) await this.setWindow(WINDOW_SECONDS);
      return before;
    } catch (error) {
      if (this.isRefused(error)) return null;
      throw error;
    }
  }

  async setWindow(windowSeconds: number): Promise<void> {
    await this.db.admin().command({ setParameter: 1, [WINDOW]: windowSeconds });
  }

  /** Unauthorized, or a service of MongoDB where the command or the parameter does not exist. */
  private isRefused(error: unknown): boolean {
    const { code } = error as { code?: unknown };
    return typeof code === 'number' && [13, 59, 72, 8000].includes(code);
  }

  private get db(): mongo.Db {
    const { db } = this.connection;
    if (!db) throw new Error('not connected');
    return db as unknown as mongo.Db;
  }
}
