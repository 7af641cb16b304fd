import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';

/** Version of the stored format: that of Browsertrix 1.24 (accounts §15.1). */
export const SCHEMA_VERSION = '0058';

/** The database was written by a version whose format this program cannot take over. */
export class UnsupportedSchemaVersion extends Error {
  constructor(found: string) {
    super(
      `The database has schema version ${found}; this program reads ${SCHEMA_VERSION}. ` +
        (found < SCHEMA_VERSION
          ? 'Start Browsertrix 1.24 on it once, so that its migrations run, then start Muniment again.'
          : 'It was written by a newer program: upgrade Muniment, or restore a backup.'),
    );
  }
}

/** Records the version on a new database and refuses one that is too old or too new. */
@Injectable()
export class SchemaVersionCheck {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  async run(): Promise<void> {
    await this.refuseOthers();
    if (await this.stored()) return;
    await this.db
      .collection('version')
      .updateOne({ version: { $exists: true } }, { $setOnInsert: { version: SCHEMA_VERSION } }, { upsert: true });
  }

  /** Changes nothing, so that commands that only look do it too. @throws UnsupportedSchemaVersion */
  async refuseOthers(): Promise<void> {
    const stored = await this.stored();
    if (stored !== null && stored !== SCHEMA_VERSION) throw new UnsupportedSchemaVersion(stored);
  }

  /** The version of the database; null for one that no service has used. */
  async stored(): Promise<string | null> {
    return (await this.db.collection<{ version: string }>('version').findOne({}))?.version ?? null;
  }

  private get db() {
    const { db } = this.connection;
    if (!db) throw new Error('not connected');
    return db;
  }
}

/** Transactions need a replica set. Without one the program refuses to run, because it would lose atomicity. */
@Injectable()
export class ReplicaSetCheck {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  async run(): Promise<void> {
    const hello = (await this.connection.db?.admin().command({ hello: 1 })) as { setName?: string; msg?: string };
    if (hello.setName ?? hello.msg === 'isdbgrid') return;
    throw new Error(
      'MongoDB runs without a replica set, which transactions need. Start mongod with --replSet rs0 and run rs.initiate() once.',
    );
  }
}
