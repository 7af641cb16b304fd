import { Injectable } from '@nestjs/common';
import { InjectConnection } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import type { Loc } from '../../common/validation/issue.js';
import { type DescribedDocument, descriptionOf } from '../../database/described.js';
import type { Tx } from '../../database/unit-of-work.js';
import { uuid, uuids } from '../../database/uuid-codec.js';
import { titleIndexOf } from '../../pages/data/title-words.facts.js';
import { fromExport, toExport } from './export-codec.js';
import { nameOrder } from './org.schema.js';

/**
 * Lists of an export with their MongoDB collections, in the order of the export. Revisions know their org only through
 * their workflow. Seed files and kept items are additions to the contract (ADRs 0015 and 0043).
 */
export const EXPORTED = {
  profiles: 'profiles',
  workflows: 'crawl_configs',
  workflowRevisions: 'configs_revs',
  items: 'crawls',
  pages: 'pages',
  collections: 'collections',
  seedFiles: 'file_uploads',
  keptItems: 'retained_items',
} as const;
export type ExportedList = keyof typeof EXPORTED;
export type ExportedDocument = Record<string, unknown>;

/** One document of an export. */
export interface ExportedElement {
  readonly document: ExportedDocument;
  /** The document's place in the export. */
  readonly loc: Loc;
}

const BATCH = 500;

/** Reads and writes whole documents of an org, whatever fields they have, for export and import. */
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

  /** Yields the exported documents of one list. It reads one batch at a time. */
  async *list(oid: string, name: ExportedList): AsyncGenerator<ExportedDocument> {
    if (name === 'workflowRevisions') {
      yield* this.revisions(oid);
      return;
    }
    // These fields are derived from the title and are not part of the reference's format.
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

  /**
   * Checks a document's fields, of which some may still be missing.
   * @throws InputRefused with the place of a field that is not of its type
   */
  check(name: ExportedList, { document, loc }: ExportedElement): void {
    fromExport(document, this.descriptionOf(EXPORTED[name]), { loc, isComplete: false });
  }

  /** Checks the org's document likewise. @throws InputRefused as `check` */
  checkOrg({ document, loc }: ExportedElement): void {
    fromExport(document, this.descriptionOf('organizations'), { loc, isComplete: false });
  }

  /**
   * Returns a document as it is stored. Its types are those of the collection's schema. Fields that the schema lacks
   * stay as they are.
   * @throws InputRefused with the place of a field that is missing or not of its type
   */
  stored(name: ExportedList, { document, loc }: ExportedElement): ExportedDocument {
    return {
      ...fromExport(document, this.descriptionOf(EXPORTED[name]), { loc, isComplete: true }),
      ...(name === 'pages' ? titleIndexOf(typeof document['title'] === 'string' ? document['title'] : null) : {}),
    };
  }

  /** Stores documents of one list. @throws InputRefused as `stored` */
  async insert(name: ExportedList, elements: readonly ExportedElement[]): Promise<void> {
    const stored = elements.map((element) => this.stored(name, element));
    if (stored.length > 0) await this.connection.collection(EXPORTED[name]).insertMany(stored, { ordered: false });
  }

  /** Stores the org's document. @throws InputRefused as `stored` */
  async insertOrg({ document, loc }: ExportedElement, tx: Tx): Promise<void> {
    const stored = fromExport(document, this.descriptionOf('organizations'), { loc, isComplete: true });
    const nameLower = nameOrder(String(document['name']));
    await this.connection.collection('organizations').insertOne({ ...stored, nameLower }, { session: tx });
  }

  /** Returns those of the ids that are workflows of the org. */
  async workflowsAmong(oid: string, cids: readonly string[]): Promise<Set<string>> {
    const filter = { _id: { $in: uuids(cids) as never[] }, oid: uuid(oid) };
    const found = this.connection.collection('crawl_configs').find(filter, { projection: { _id: 1 } });
    return new Set(await found.map(({ _id }) => String(_id)).toArray());
  }

  /**
   * Deletes what an import of an org that does not exist has left. Every deletion may be repeated, so this may be
   * interrupted too.
   */
  async deleteLeftovers(oid: string): Promise<void> {
    const org = uuid(oid);
    const cids = (await this.connection.collection('crawl_configs').distinct('_id', { oid: org })) as unknown[];
    await this.connection.collection('configs_revs').deleteMany({ cid: { $in: cids } } as never);
    for (const name of [
      'profiles',
      'crawl_configs',
      'crawls',
      'pages',
      'collections',
      'file_uploads',
      'retained_items',
    ])
      await this.connection.collection(name).deleteMany({ oid: org });
  }

  async *collectionIds(oid: string): AsyncGenerator<string> {
    const found = this.connection.collection('collections').find({ oid: uuid(oid) }, { projection: { _id: 1 } });
    for await (const { _id } of found) yield String(_id);
  }

  private descriptionOf(collection: string): DescribedDocument {
    const models = Object.values(this.connection.models);
    const model = models.find((one) => one.collection.collectionName === collection);
    if (!model) throw new Error(`no schema of ${collection}`);
    return descriptionOf(model.schema);
  }
}
