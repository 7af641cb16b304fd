import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import type { Tx } from '../../database/unit-of-work.js';
import { uuid } from '../../database/uuid-codec.js';
import { titleIndexOf } from '../../pages/data/title-words.schema.js';
import { fromExport, toExport } from './export-codec.js';
import { nameOrder } from './org.schema.js';

/** Collections of an export, in its order; revisions know their org through their workflow only. */
export const EXPORTED = {
  profiles: 'profiles',
  workflows: 'crawl_configs',
  workflowRevisions: 'configs_revs',
  items: 'crawls',
  pages: 'pages',
  collections: 'collections',
} as const;
export type ExportedList = keyof typeof EXPORTED;
export type ExportedDocument = Record<string, unknown>;

const BATCH = 500;

/** Whole documents of an org as they are stored, whatever fields they have: for export and import. */
@Injectable()
export class OrgArchiveRepository {
  constructor(@InjectConnection() private readonly connection: Connection) {}

  async dbVersion(): Promise<string | null> {
    const version = await this.connection.collection<{ version?: string }>('version').findOne({});
    return version?.version ?? null;
  }

  async org(oid: string): Promise<ExportedDocument | null> {
    const org = await this.connection.collection('organizations').findOne({ _id: uuid(oid) as never });
    return org && (toExport(org) as ExportedDocument);
  }

  /** Streams one batch at a time. */
  async *list(oid: string, name: ExportedList): AsyncGenerator<ExportedDocument> {
    if (name === 'workflowRevisions') {
      yield* this.revisions(oid);
      return;
    }
    // Derived from the title, and not of the reference's format.
    const derived = name === 'pages' ? { projection: { titleTerms: 0, titleLength: 0 } } : {};
    const cursor = this.connection
      .collection(EXPORTED[name])
      .find({ oid: uuid(oid) }, { batchSize: BATCH, ...derived });
    for await (const doc of cursor) yield toExport(doc) as ExportedDocument;
  }

  private async *revisions(oid: string): AsyncGenerator<ExportedDocument> {
    const workflows = this.connection.collection('crawl_configs').find({ oid: uuid(oid) }, { projection: { _id: 1 } });
    for await (const { _id } of workflows)
      for await (const doc of this.connection.collection('configs_revs').find({ cid: _id }, { batchSize: BATCH }))
        yield toExport(doc) as ExportedDocument;
  }

  /** Types are those of the collection's schema; fields it doesn't know stay as they came. */
  async insert(name: ExportedList, documents: readonly ExportedDocument[]): Promise<void> {
    const schema = this.schemaOf(EXPORTED[name]);
    const stored = documents.map((doc) => ({
      ...(fromExport(doc, schema) as ExportedDocument),
      ...(name === 'pages' ? titleIndexOf(typeof doc['title'] === 'string' ? doc['title'] : null) : {}),
    }));
    if (stored.length > 0) await this.connection.collection(EXPORTED[name]).insertMany(stored, { ordered: false });
  }

  async insertOrg(org: ExportedDocument, tx: Tx): Promise<void> {
    const stored = fromExport(org, this.schemaOf('organizations')) as ExportedDocument;
    const nameLower = nameOrder(String(org['name']));
    await this.connection.collection('organizations').insertOne({ ...stored, nameLower }, { session: tx });
  }

  /** Deletes what an import of an org that does not exist has left; in batches, so that it can be killed too. */
  async deleteLeftovers(oid: string): Promise<void> {
    const org = uuid(oid);
    const cids = (await this.connection.collection('crawl_configs').distinct('_id', { oid: org })) as unknown[];
    await this.connection.collection('configs_revs').deleteMany({ cid: { $in: cids } } as never);
    for (const name of ['profiles', 'crawl_configs', 'crawls', 'pages', 'collections'])
      await this.connection.collection(name).deleteMany({ oid: org });
  }

  async *collectionIds(oid: string): AsyncGenerator<string> {
    const found = this.connection.collection('collections').find({ oid: uuid(oid) }, { projection: { _id: 1 } });
    for await (const { _id } of found) yield String(_id);
  }

  private schemaOf(collection: string) {
    return Object.values(this.connection.models).find((model) => model.collection.collectionName === collection)
      ?.schema;
  }
}
