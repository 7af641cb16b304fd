import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { canonicalUuid } from '../../common/ids/uuid.js';
import { AppConfig } from '../../config/app-config.js';
import { InputRefused, invalidInput } from '../../common/validation/issue.js';
import { seconds } from '../../common/units/durations.js';
import { LeasedWorker, type ClaimedWork } from '../../database/leased-worker.js';
import type { Held, Lease } from '../../database/leases.js';
import { isDuplicateKey } from '../../database/org-scoped.js';
import { AtStartup } from '../../database/startup.js';
import type { StorageRef } from '../../storage/storage-ref.js';
import { Storages } from '../../storage/storages.js';
import {
  DbVersionMismatch,
  InvalidDb,
  InvalidImportData,
  InvalidStorageRef,
  OrgAlreadyExists,
} from './archive.errors.js';
import type { ImportMark } from '../data/import-mark.schema.js';
import { ImportMarksRepository } from '../data/import-marks.repository.js';
import {
  EXPORTED,
  OrgArchiveRepository,
  type ExportedElement,
  type ExportedList,
} from '../data/org-archive.repository.js';
import { OrgsRepository } from '../data/orgs.repository.js';
import { ImportFinish, type ImportedMembers } from './import-finish.js';
import { importedDocument, importedOrg, type ImportRules } from './imported-documents.js';
import { NotAnExport, readSections, type Section } from './json-sections.js';

export interface ImportOptions {
  readonly ignoreVersion: boolean;
  readonly storageName: string | null;
}

interface Import extends ImportOptions {
  readonly org: ExportedElement;
  readonly rules: ImportRules;
  readonly members: ImportedMembers;
  readonly lease: Lease;
}

/** Number of documents that are written at once. */
const BATCH = 500;

const isList = (name: string): name is ExportedList => Object.hasOwn(EXPORTED, name);

/** Reads an element of a section. @throws InputRefused when it is not a document, or is in the wrong place */
function elementOf({ name, index, value }: Section): ExportedElement {
  const loc = ['body', 'data', name, ...(index === null ? [] : [index])];
  if ((name === 'org') !== (index === null)) throw invalidInput(loc, 'not a list', null, 'import_error');
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw invalidInput(loc, 'not an object', null, 'import_error');
  return { document: value as ExportedElement['document'], loc };
}

/**
 * Imports an export. The org is inserted last, with its accounts, in one transaction. Until then nothing of the import
 * is reachable. What a crash leaves is deleted when its lease ends, or by the next try. Contract: accounts §10.2.
 */
@Injectable()
export class OrgImport extends LeasedWorker<Held<ImportMark>> {
  constructor(
    private readonly archive: OrgArchiveRepository,
    private readonly orgs: OrgsRepository,
    private readonly finish: ImportFinish,
    private readonly storages: Storages,
    private readonly config: AppConfig,
    private readonly marks: ImportMarksRepository,
  ) {
    super(marks.leases, new Logger('orgs'));
  }

  /**
   * Imports an org.
   * @param body the export's bytes, which are read once and never held whole
   * @throws InvalidDb, DbVersionMismatch, OrgAlreadyExists, InvalidImportData, InvalidStorageRef, DuplicateOrgName,
   *   DuplicateOrgSlug; InputRefused with the place of a document's field that cannot be imported
   */
  async import(body: AsyncIterable<Buffer>, options: ImportOptions): Promise<void> {
    const { storageName } = options;
    if (storageName !== null && !this.storages.isKnown({}, { name: storageName, custom: false }))
      throw new InvalidStorageRef();
    let current: Import | null = null;
    try {
      for await (const { name, elements } of this.batches(body, options)) {
        const [first] = elements;
        if (name !== 'org' && current) await this.write(current, name, elements);
        else if (name === 'org' && !current && first) current = await this.begin(first, options);
        else throw new InvalidImportData();
      }
      if (!current) throw new InvalidImportData();
      await this.finish.run(current.org, current.lease, current.members);
    } catch (error) {
      if (current) await this.undo(current.lease);
      if (error instanceof InputRefused) this.logger.warn({ event: 'import_refused', err: error });
      if (error instanceof NotAnExport || isDuplicateKey(error)) {
        this.logger.warn({ event: 'import_refused', err: error });
        throw new InvalidImportData();
      }
      throw error;
    }
    await this.settle(current.lease);
  }

  /** Yields the org on its own, and its lists in groups. The version is checked on the way. */
  private async *batches(body: AsyncIterable<Buffer>, options: ImportOptions) {
    let group: { name: string; elements: ExportedElement[] } = { name: '', elements: [] };
    let isVersionSeen = options.ignoreVersion;
    const skipped = new Set<string>();
    for await (const section of readSections(body)) {
      if (section.name === 'dbVersion') {
        await this.checkVersion(section, options);
        isVersionSeen = true;
        continue;
      }
      if (!isVersionSeen) throw new InvalidImportData();
      if (section.name !== 'org' && !isList(section.name)) {
        if (!skipped.has(section.name)) this.logger.warn({ event: 'import_section_skipped', section: section.name });
        skipped.add(section.name);
        continue;
      }
      if (section.name !== group.name || group.elements.length >= BATCH) {
        if (group.elements.length > 0) yield group;
        group = { name: section.name, elements: [] };
      }
      group.elements.push(elementOf(section));
    }
    if (group.elements.length > 0) yield group;
  }

  private async checkVersion({ value }: Section, { ignoreVersion }: ImportOptions): Promise<void> {
    const own = await this.archive.dbVersion();
    if (own === null) throw new InvalidDb();
    if (!ignoreVersion && value !== own) throw new DbVersionMismatch();
  }

  private async begin({ document, loc }: ExportedElement, options: ImportOptions): Promise<Import> {
    const { userDetails, id, ...org } = document;
    const oid = canonicalUuid(String(org['_id'] ?? id ?? ''));
    if (oid === null) throw new InvalidImportData();
    this.archive.checkOrg({ document: { ...org, _id: oid }, loc });
    if (!org['name']) throw invalidInput([...loc, 'name'], 'missing', null, 'import_error');
    if (await this.orgs.findById(oid)) throw new OrgAlreadyExists();
    const lease = await this.marks.take(oid);
    if (!lease) throw new InvalidImportData();
    this.marks.leases.keep(lease);
    try {
      // Another import may have inserted the org between the check above and the lease.
      if (await this.orgs.findById(oid)) throw new OrgAlreadyExists();
      await this.archive.deleteLeftovers(oid);
      const members = await this.finish.members(userDetails, [...loc, 'userDetails']);
      const { windowsPerInstance, maxBrowserWindows } = this.config.crawls;
      const { storageName } = options;
      const isKnown = (ref: StorageRef): boolean => this.storages.isKnown(org, ref);
      const storages = { oid, storageName, isKnown };
      const rules = { ...storages, userIds: members.userIds, windowsPerInstance, maxBrowserWindows };
      return { ...options, lease, members, rules, org: { document: importedOrg(org, storages, loc), loc } };
    } catch (error) {
      await this.marks.remove(lease);
      throw error;
    }
  }

  private async write({ rules, lease }: Import, name: string, elements: readonly ExportedElement[]): Promise<void> {
    if (!isList(name)) return;
    const taken = elements.flatMap((element) => {
      this.archive.check(name, element);
      const document = importedDocument(name, element.document, rules, element.loc);
      return document ? [{ document, loc: element.loc }] : [];
    });
    if (taken.length < elements.length)
      this.logger.warn({ event: 'import_documents_skipped', section: name, count: elements.length - taken.length });
    if (!(await this.marks.leases.renew(lease))) throw new InvalidImportData();
    if (name === 'workflowRevisions') await this.checkRevisions(rules.oid, taken);
    await this.archive.insert(name, taken);
  }

  /**
   * Checks that the revisions belong to workflows of the export. A revision names no org, so one of another workflow
   * would get into another org.
   */
  private async checkRevisions(oid: string, revisions: readonly ExportedElement[]): Promise<void> {
    const cidOf = ({ document }: ExportedElement) => canonicalUuid(String(document['cid'] ?? ''));
    const cids = revisions.map(cidOf).filter((cid) => cid !== null);
    const own = await this.archive.workflowsAmong(oid, cids);
    const stray = revisions.find((revision) => !own.has(cidOf(revision) ?? ''));
    if (stray) throw invalidInput([...stray.loc, 'cid'], 'no workflow of the export', cidOf(stray), 'import_error');
  }

  private async undo(lease: Lease): Promise<void> {
    if (await this.marks.leases.renew(lease)) await this.settle(lease);
  }

  /**
   * Ends an import that succeeded or failed. If the org exists, its collections are recounted; otherwise everything
   * imported is deleted.
   */
  private async settle(lease: Lease): Promise<void> {
    const oid = lease.recordId;
    if (await this.orgs.findById(oid)) await this.finish.recount(oid);
    else await this.archive.deleteLeftovers(oid);
    await this.marks.remove(lease);
  }

  /** Ends the imports that a crash of this or another process interrupted. */
  @AtStartup('dead-imports', { after: 'workflow schedules' })
  @Interval(seconds(30))
  async clearDead(): Promise<void> {
    await this.drain();
  }

  /** Interrupted imports are ended one after the other. */
  protected async claim(): Promise<ClaimedWork<Held<ImportMark>>> {
    const dead = this.underWay.length === 0 ? await this.marks.leases.claimNext() : null;
    return { held: dead ? [dead] : [], more: false };
  }

  protected work({ lease }: Held<ImportMark>): Promise<void> {
    return this.settle(lease);
  }
}
