import { setTimeout as delay } from 'node:timers/promises';
import { Injectable, Logger, type BeforeApplicationShutdown } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, IndexDefinition, IndexOptions, mongo } from 'mongoose';
import { seconds } from '../common/units/durations.js';
import { isLarge } from './schema-options.js';

const INDEX_OPTIONS_CONFLICT = 85;
const INDEX_KEY_SPECS_CONFLICT = 86;

interface MongoFailure {
  readonly code?: number;
}

const isConflict = ({ code }: MongoFailure): boolean =>
  code === INDEX_OPTIONS_CONFLICT || code === INDEX_KEY_SPECS_CONFLICT;

/** Removes an option that Mongoose adds and that present databases no longer know. */
function wantedOptions(options: IndexOptions): IndexOptions {
  const { background: _unused, ...wanted } = options as IndexOptions & { background?: boolean };
  return wanted;
}

/** How long the service waits for the indexes of a large collection. */
const PATIENCE_MS = seconds(10);

/** Creates the indexes that the schemas declare. A database of the reference keeps the ones it has. */
@Injectable()
export class IndexSync implements BeforeApplicationShutdown {
  private readonly logger = new Logger('database');
  private readonly behind: Promise<void>[] = [];
  private isLeaving = false;

  constructor(@InjectConnection() private readonly connection: Connection) {}

  /** @param patienceMs after which the indexes of large collections are built behind the running service */
  async run(patienceMs = PATIENCE_MS): Promise<void> {
    const patience = new AbortController();
    const isOver = delay(patienceMs, 'late', { signal: patience.signal }).catch(() => 'done');
    await Promise.all(
      Object.values(this.connection.models).map((model) =>
        isLarge(model.schema) ? this.syncLarge(model, isOver) : this.syncModel(model),
      ),
    );
    patience.abort();
  }

  /** Resolves when the indexes that were not waited for are there. @throws what the database says of one that fails */
  async settled(): Promise<void> {
    await Promise.all(this.behind);
  }

  beforeApplicationShutdown(): void {
    this.isLeaving = true;
  }

  /** The database goes on building when this process ends, and another start waits for the same builds. */
  private async syncLarge(model: Connection['models'][string], isOver: Promise<string>): Promise<void> {
    const collection = model.collection.collectionName;
    const built = this.syncModel(model);
    const end = await Promise.race([built, isOver]);
    if (end !== 'late') return;
    this.logger.warn({ event: 'indexes_built_behind', collection, hint: 'Its lists are slow until they are there.' });
    this.behind.push(built);
    built.then(
      () => this.logger.log({ event: 'indexes_built', collection }),
      (error: unknown) => {
        if (!this.isLeaving) this.logger.error({ event: 'indexes_not_built', collection, err: error });
      },
    );
  }

  /**
   * Creates all indexes in one command, so that a collection that was taken over is read once. Where an existing index
   * differs, they are created one by one.
   */
  private async syncModel(model: Connection['models'][string]): Promise<void> {
    const indexes = model.schema.indexes().map(([keys, options]) => [keys, wantedOptions(options)] as const);
    if (indexes.length === 0) return;
    try {
      const specs = indexes.map(([key, options]) => ({ ...options, key }));
      await model.collection.createIndexes(specs as mongo.IndexDescription[]);
    } catch (error) {
      if (!isConflict(error as MongoFailure)) throw error;
      for (const [keys, options] of indexes) await this.ensure(model, keys, options);
    }
  }

  private async ensure(
    model: Connection['models'][string],
    keys: IndexDefinition,
    options: IndexOptions,
  ): Promise<void> {
    try {
      await model.collection.createIndex(keys as Record<string, 1>, options as mongo.CreateIndexesOptions);
    } catch (error) {
      await this.reconcile(model, keys, options, error as MongoFailure);
    }
  }

  /** Applies a changed lifetime in place. Any other existing index on the same keys is kept and reported. */
  private async reconcile(
    model: Connection['models'][string],
    keys: IndexDefinition,
    options: IndexOptions,
    error: MongoFailure,
  ): Promise<void> {
    if (!isConflict(error)) throw error as Error;
    if (options.expireAfterSeconds !== undefined) {
      const index = { keyPattern: keys, expireAfterSeconds: options.expireAfterSeconds };
      await this.connection.db?.command({ collMod: model.collection.collectionName, index });
      return;
    }
    this.logger.warn({ event: 'index_kept', collection: model.collection.collectionName, keys });
  }
}
