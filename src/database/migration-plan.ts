import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection, IndexDefinition } from 'mongoose';
import { SCHEMA_VERSION, SchemaVersionCheck } from './schema-version.js';
import { Startup } from './startup.js';

const NAMESPACE_NOT_FOUND = 26;

/** Tells what a start of this program would change in the database. It changes nothing. */
@Injectable()
export class MigrationPlan {
  constructor(
    @InjectConnection() private readonly connection: Connection,
    private readonly version: SchemaVersionCheck,
    private readonly startup: Startup,
  ) {}

  /** @throws UnsupportedSchemaVersion for a database that no start would take over */
  async *lines(): AsyncGenerator<string> {
    await this.version.refuseOthers();
    const stored = await this.version.stored();
    yield stored === null ? `record schema version ${SCHEMA_VERSION}` : `schema version ${stored}: nothing to do`;
    let missing = 0;
    for await (const line of this.missingIndexes()) {
      missing += 1;
      yield line;
    }
    if (missing === 0) yield 'indexes: nothing to do';
    yield `start-up steps, each of which fills only what is missing: ${this.startup.names.join(', ')}`;
  }

  private async *missingIndexes(): AsyncGenerator<string> {
    for (const { schema, collection } of Object.values(this.connection.models)) {
      const declared = schema.indexes().map(([keys]) => textOf(keys));
      if (declared.length === 0) continue;
      const present = await collection.indexes().catch((error: unknown) => {
        if ((error as { code?: unknown }).code === NAMESPACE_NOT_FOUND) return [];
        throw error;
      });
      const known = new Set(present.map(({ key }) => textOf(key as IndexDefinition)));
      const lacking = declared.filter((keys) => !known.has(keys));
      if (lacking.length === 0) continue;
      const documents = await collection.estimatedDocumentCount();
      for (const keys of lacking)
        yield `create index ${keys} on ${collection.collectionName} (about ${String(documents)} documents)`;
    }
  }
}

/** Their order counts. */
const textOf = (keys: IndexDefinition): string => JSON.stringify(keys);
