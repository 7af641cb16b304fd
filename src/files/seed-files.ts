import type { Readable } from 'node:stream';
import { Injectable, Logger } from '@nestjs/common';
import type { Principal } from '../common/access/access.js';
import { Clock } from '../common/clock/clock.js';
import { newId } from '../common/ids/uuid.js';
import { DomainEvents } from '../events/domain-events.js';
import type { DomainEvent } from '../events/event-types.js';
import { OnFact } from '../events/on-fact.js';
import { ItemsQueries } from '../items/data/items.queries.js';
import type { Org } from '../orgs/data/org.schema.js';
import { OrgUsage } from '../orgs/org-usage.js';
import { extensionOf } from '../storage/file-names.js';
import { WorkflowsReads } from '../workflows/data/workflows.reads.js';
import { SeedFilesRepository } from './data/seed-files.repository.js';
import type { SeedFile } from './data/seed-file.schema.js';
import { FileNotFound, InvalidExtension, InvalidSeedFile, SeedFileInUse } from './files.errors.js';
import { SeedFileStore } from './seed-file-store.js';

/** Text files of start URLs. Contract: archive §9. */
@Injectable()
export class SeedFiles {
  private readonly logger = new Logger('files');

  constructor(
    private readonly files: SeedFilesRepository,
    private readonly store: SeedFileStore,
    private readonly workflows: WorkflowsReads,
    private readonly items: ItemsQueries,
    private readonly usage: OrgUsage,
    private readonly events: DomainEvents,
    private readonly clock: Clock,
  ) {}

  /** The object goes after its record: a crash between the two leaves the event, and with it the object to delete. */
  @OnFact('seedFile.deleted', 'files.delete-object')
  deleteObject({ payload: { oid, filename, storage } }: DomainEvent<'seedFile.deleted'>): Promise<void> {
    return this.store.delete(oid, filename, storage);
  }

  /**
   * Streams a file into the org's storage and records it.
   * @throws WriteRefused 403; InvalidExtension, UploadFailed, SeedFileTooLarge, InvalidSeedFile 400: nothing is kept then
   */
  async add(org: Org, actor: Principal, originalFilename: string, body: Readable): Promise<string> {
    this.usage.assertCanWrite(org, { includeTime: false });
    if (extensionOf(originalFilename) !== '.txt') throw new InvalidExtension();
    const fileId = newId();
    const added = await this.store.put(org, fileId, body);
    const { firstSeed, seedCount, intent: _intent, ...stored } = added;
    if (firstSeed === null) {
      await this.store.discard(org._id, added);
      throw new InvalidSeedFile();
    }
    const file: SeedFile = {
      _id: fileId,
      oid: org._id,
      type: 'seedFile',
      ...stored,
      replicas: [],
      originalFilename,
      mime: 'text/plain',
      userid: actor.id,
      userName: actor.name,
      created: this.clock.creationTime(),
      firstSeed,
      seedCount,
      takenAt: null,
    };
    await this.events.transact(async (tx) => {
      await this.store.keep(added, tx);
      await this.files.insert(file, tx);
      await this.usage.addBytes(org._id, 'seedFile', file.size, tx);
    });
    return fileId;
  }

  /** @throws FileNotFound */
  async get(oid: string, fileId: string): Promise<SeedFile> {
    const file = await this.files.find(oid, fileId);
    if (!file) throw new FileNotFound();
    return file;
  }

  /** @throws FileNotFound, SeedFileInUse */
  async delete(oid: string, fileId: string): Promise<void> {
    await this.get(oid, fileId);
    if (!(await this.deleteIfUnused(oid, fileId))) throw new SeedFileInUse();
  }

  /** @returns false when a workflow, active or not, or a crawl refers to it */
  async deleteIfUnused(oid: string, fileId: string): Promise<boolean> {
    return this.events.transact(async (tx, record) => {
      if (await this.workflows.refersToSeedFile(oid, fileId, tx)) return false;
      if (await this.items.anyStartsFrom(oid, fileId, tx)) return false;
      const file = await this.files.delete(oid, fileId, tx);
      if (!file) return true;
      await this.usage.addBytes(oid, 'seedFile', -file.size, tx);
      const { filename, storage } = file;
      record('seedFile.deleted', { oid, fileId, filename, storage: { name: storage.name, custom: storage.custom } });
      return true;
    });
  }

  /**
   * Deletes unused files of all orgs that were made before a moment.
   * @throws AggregateError after all were tried, with what failed
   */
  async deleteUnusedBefore(before: Date, signal: AbortSignal): Promise<number> {
    const failures: unknown[] = [];
    let deleted = 0;
    let last: SeedFile | null = null;
    for (;;) {
      const batch: SeedFile[] = await this.files.findOldAcrossOrgs(before, last, 100);
      if (batch.length === 0) break;
      for (const file of batch) {
        signal.throwIfAborted();
        try {
          if (await this.deleteIfUnused(file.oid, file._id)) deleted++;
        } catch (error) {
          this.logger.error({ event: 'seed_file_not_deleted', oid: file.oid, fileId: file._id, err: error });
          failures.push(error);
        }
      }
      last = batch.at(-1) ?? null;
    }
    if (failures.length > 0) throw new AggregateError(failures, `${String(failures.length)} seed files not deleted`);
    return deleted;
  }
}
