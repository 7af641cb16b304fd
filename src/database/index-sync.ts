import { Injectable, Logger } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, IndexDefinition, IndexOptions, mongo } from 'mongoose';

const INDEX_OPTIONS_CONFLICT = 85;
const INDEX_KEY_SPECS_CONFLICT = 86;

interface MongoFailure {
  code?: number;
}

/** Creates the indexes that the schemas declare; a database of the reference keeps the ones it has. */
@Injectable()
export class IndexSync {
  private readonly logger = new Logger('database');

  constructor(@InjectConnection() private readonly connection: Connection) {}

  async run(): Promise<void> {
    await Promise.all(Object.values(this.connection.models).map((model) => this.syncModel(model)));
  }

  private async syncModel(model: Connection['models'][string]): Promise<void> {
    for (const [keys, options] of model.schema.indexes()) await this.ensure(model, keys, options);
  }

  private async ensure(
    model: Connection['models'][string],
    keys: IndexDefinition,
    options: IndexOptions,
  ): Promise<void> {
    const { background: _unused, ...wanted } = options as IndexOptions & { background?: boolean };
    try {
      await model.collection.createIndex(keys as Record<string, 1>, wanted as mongo.CreateIndexesOptions);
    } catch (error) {
      await this.reconcile(model, keys, wanted, error as MongoFailure);
    }
  }

  /** A changed lifetime is applied in place; any other existing index on the same keys is kept and reported. */
  private async reconcile(
    model: Connection['models'][string],
    keys: IndexDefinition,
    options: IndexOptions,
    error: MongoFailure,
  ): Promise<void> {
    if (error.code !== INDEX_OPTIONS_CONFLICT && error.code !== INDEX_KEY_SPECS_CONFLICT) throw error as Error;
    if (options.expireAfterSeconds !== undefined) {
      const index = { keyPattern: keys, expireAfterSeconds: options.expireAfterSeconds };
      await this.connection.db?.command({ collMod: model.collection.collectionName, index });
      return;
    }
    this.logger.warn({ event: 'index_kept', collection: model.collection.collectionName, keys });
  }
}
