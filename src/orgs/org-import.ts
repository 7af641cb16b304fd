import { Injectable, Logger } from '@nestjs/common';
import { canonicalUuid } from '../common/ids/uuid.js';
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
import { ImportLeases, type ImportLease } from './import-leases.js';
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
  readonly lease: ImportLease;
}

/** Documents written at once. */
const BATCH = 500;

const isList = (name: string): name is ExportedList => Object.hasOwn(EXPORTED, name);

/**
 * Takes over an export. The org appears last, with its accounts, in one transaction; until then nothing of the import is
 * reachable, and what a crash leaves is deleted once its lease is over, or by the next try. Contract: accounts §10.2.
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
    private readonly leases: ImportLeases,
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
        if (batch.name === 'org' && !current) current = await this.begin(batch.documents[0] ?? {}, options);
        else if (batch.name !== 'org' && current) await this.write(current, batch);
        else throw new InvalidImportData();
      }
      if (!current) throw new InvalidImportData();
      await this.finish.run(current.org, current.lease, current.members);
    } catch (error) {
      if (current) await this.undo(current.lease);
      if (error instanceof NotAnExport || isDuplicateKey(error)) {
        this.logger.warn({ event: 'import_refused', err: error });
        throw new InvalidImportData();
      }
      throw error;
    }
    await this.settle(current.lease);
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
    const lease = await this.leases.take(oid);
    if (!lease) throw new InvalidImportData();
    try {
      // Another import may have brought it in between the two.
      if (await this.orgs.findById(oid)) throw new OrgAlreadyExists();
      await this.archive.deleteLeftovers(oid);
      const members = await this.finish.members(userDetails);
      return { ...options, lease, members, ...this.planOf(oid, org, members, options) };
    } catch (error) {
      await lease.release();
      throw error;
    }
  }

  private planOf(
    oid: string,
    org: ExportedDocument,
    { userIds }: ImportedMembers,
    { storageName }: ImportOptions,
  ): Pick<Import, 'org' | 'rules'> {
    const slug = typeof org['slug'] === 'string' && org['slug'] !== '' ? org['slug'] : oid;
    const { windowsPerInstance, maxBrowserWindows } = this.config.crawls;
    return {
      org: { ...org, slug, ...(storageName === null ? {} : { storage: { name: storageName, custom: false } }) },
      rules: { oid, userIds, storageName, windowsPerInstance, maxBrowserWindows },
    };
  }

  private async write(
    { rules, lease }: Import,
    { name, documents }: { name: string; documents: ExportedDocument[] },
  ): Promise<void> {
    if (!isList(name)) return this.logger.warn({ event: 'import_section_skipped', section: name });
    const taken = documents.map((doc) => importedDocument(name, doc, rules)).filter((doc) => doc !== null);
    if (taken.length < documents.length)
      this.logger.warn({ event: 'import_documents_skipped', section: name, count: documents.length - taken.length });
    if (!(await lease.renew())) throw new InvalidImportData();
    await this.archive.insert(name, taken);
  }

  private async undo(lease: ImportLease): Promise<void> {
    if (await lease.renew()) await this.settle(lease);
    else lease.abandon();
  }

  /** Brings an import to an end, whichever it came to: an org that is there is counted, else nothing of it stays. */
  private async settle(lease: ImportLease): Promise<void> {
    if (await this.orgs.findById(lease.oid)) await this.finish.recount(lease.oid);
    else await this.archive.deleteLeftovers(lease.oid);
    await lease.release();
  }

  /** Ends the imports that a crash interrupted. */
  async clearDead(): Promise<void> {
    for await (const lease of this.leases.takeDead()) await this.settle(lease);
  }
}
