import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { canonicalUuid } from '../common/ids/uuid.js';
import { minutes } from '../common/units/durations.js';
import { AppConfig } from '../config/app-config.js';
import { isDuplicateKey } from '../database/org-scoped.js';
import { Startup } from '../database/startup.js';
import { Storages } from '../storage/storages.js';
import {
  DbVersionMismatch,
  InvalidDb,
  InvalidImportData,
  InvalidStorageRef,
  OrgAlreadyExists,
} from './archive.errors.js';
import {
  EXPORTED,
  OrgArchiveRepository,
  type ExportedDocument,
  type ExportedList,
} from './data/org-archive.repository.js';
import { OrgsRepository } from './data/orgs.repository.js';
import { ImportFinish, type ImportedMembers } from './import-finish.js';
import { importedDocument, type ImportRules } from './imported-documents.js';
import { NotAnExport, readSections, type Section } from './json-sections.js';

export interface ImportOptions {
  readonly ignoreVersion: boolean;
  readonly storageName: string | null;
}

interface Import extends ImportOptions {
  readonly org: ExportedDocument;
  readonly rules: ImportRules;
  readonly members: ImportedMembers;
  readonly collectionIds: string[];
}

/** Documents written at once. */
const BATCH = 500;
/** An import that has written nothing for this long is dead. */
const LEASE_MS = minutes(10);

const isList = (name: string): name is ExportedList => Object.hasOwn(EXPORTED, name);

/**
 * Takes over an export. The org appears last, with its accounts, in one transaction; until then nothing of the import is
 * reachable, and what a crash leaves is deleted by the next start or the next try. Contract: accounts §10.2.
 */
@Injectable()
export class OrgImport {
  private readonly logger = new Logger('orgs');

  constructor(
    private readonly archive: OrgArchiveRepository,
    private readonly orgs: OrgsRepository,
    private readonly finish: ImportFinish,
    private readonly storages: Storages,
    private readonly config: AppConfig,
    private readonly clock: Clock,
    startup: Startup,
  ) {
    startup.register({ name: 'dead-imports', order: 300, run: () => this.clearDead() });
  }

  /**
   * @param body the export's bytes; read once, never held whole
   * @throws InvalidDb, DbVersionMismatch, OrgAlreadyExists, InvalidImportData, InvalidStorageRef, DuplicateOrgName,
   *   DuplicateOrgSlug
   */
  async import(body: AsyncIterable<Buffer>, options: ImportOptions): Promise<void> {
    const { storageName } = options;
    if (storageName !== null && !this.storages.isKnown({}, { name: storageName, custom: false }))
      throw new InvalidStorageRef();
    let current: Import | null = null;
    try {
      for await (const batch of this.batches(body, options)) {
        if (batch.name === 'org') current = await this.begin(batch.documents[0] ?? {}, options);
        else if (current) await this.write(current, batch);
        else throw new InvalidImportData();
      }
      if (!current) throw new InvalidImportData();
      await this.finish.run(current.org, current.rules.oid, current.members);
    } catch (error) {
      if (current) await this.undo(current.rules.oid);
      if (error instanceof NotAnExport || isDuplicateKey(error)) {
        this.logger.warn({ event: 'import_refused', err: error });
        throw new InvalidImportData();
      }
      throw error;
    }
    await this.finish.recount(current.rules.oid, current.collectionIds);
  }

  /** The org by itself, then its lists in groups. The version is checked on the way. */
  private async *batches(body: AsyncIterable<Buffer>, options: ImportOptions) {
    let group: { name: string; documents: ExportedDocument[] } = { name: '', documents: [] };
    let isVersionSeen = options.ignoreVersion;
    for await (const section of readSections(body)) {
      if (section.name === 'dbVersion') {
        await this.checkVersion(section, options);
        isVersionSeen = true;
        continue;
      }
      if (!isVersionSeen || typeof section.value !== 'object' || section.value === null) throw new InvalidImportData();
      if (section.name !== group.name || group.documents.length >= BATCH) {
        if (group.documents.length > 0) yield group;
        group = { name: section.name, documents: [] };
      }
      group.documents.push(section.value as ExportedDocument);
    }
    if (group.documents.length > 0) yield group;
  }

  private async checkVersion({ value }: Section, { ignoreVersion }: ImportOptions): Promise<void> {
    const own = await this.archive.dbVersion();
    if (own === null) throw new InvalidDb();
    if (!ignoreVersion && value !== own) throw new DbVersionMismatch();
  }

  private async begin(stored: ExportedDocument, options: ImportOptions): Promise<Import> {
    const { userDetails, id, ...org } = stored;
    const oid = canonicalUuid(String(org['_id'] ?? id ?? ''));
    if (oid === null || typeof org['name'] !== 'string' || org['name'] === '') throw new InvalidImportData();
    if (await this.orgs.findById(oid)) throw new OrgAlreadyExists();
    const now = this.clock.now();
    if (!(await this.archive.claimImport(oid, now, this.leaseEnd()))) throw new InvalidImportData();
    await this.archive.deleteLeftovers(oid);
    const members = await this.finish.members(userDetails);
    const { storageName } = options;
    const slug = typeof org['slug'] === 'string' && org['slug'] !== '' ? org['slug'] : oid;
    const { windowsPerInstance, maxBrowserWindows } = this.config.crawls;
    return {
      ...options,
      org: { ...org, slug, ...(storageName === null ? {} : { storage: { name: storageName, custom: false } }) },
      rules: { oid, userIds: members.userIds, storageName, windowsPerInstance, maxBrowserWindows },
      members,
      collectionIds: [],
    };
  }

  private async write(
    { rules, collectionIds }: Import,
    { name, documents }: { name: string; documents: ExportedDocument[] },
  ): Promise<void> {
    if (!isList(name)) return this.logger.warn({ event: 'import_section_skipped', section: name });
    const taken = documents.map((doc) => importedDocument(name, doc, rules)).filter((doc) => doc !== null);
    if (taken.length < documents.length)
      this.logger.warn({ event: 'import_documents_skipped', section: name, count: documents.length - taken.length });
    await this.archive.insert(name, taken);
    if (name === 'collections') collectionIds.push(...taken.map(({ _id }) => String(_id)));
    await this.archive.renewImport(rules.oid, this.leaseEnd());
  }

  private async undo(oid: string): Promise<void> {
    if (await this.orgs.findById(oid)) return;
    await this.archive.deleteLeftovers(oid);
    await this.archive.endImport(oid);
  }

  /** Deletes what imports left that a crash ended. */
  async clearDead(): Promise<void> {
    for (const oid of await this.archive.deadImports(this.clock.now())) await this.undo(oid);
  }

  private leaseEnd(): Date {
    return new Date(this.clock.nowMs() + LEASE_MS);
  }
}
