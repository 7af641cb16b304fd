import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Principal } from '../common/access/access.js';
import { Clock } from '../common/clock/clock.js';
import { newId } from '../common/ids/uuid.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { FileStaging, type StagedFile, StagingLost } from '../objects/file-staging.js';
import type { Org } from '../orgs/data/org.schema.js';
import { OrgUsage } from '../orgs/org-usage.js';
import { extensionOf, fileNames } from '../storage/file-names.js';
import { ObjectTooLarge, StorageDenied, StorageFull, StorageUnavailable } from '../storage/storage.errors.js';
import type { SeedFile } from './data/seed-file.schema.js';
import { SeedFilesRepository } from './data/seed-files.repository.js';
import { InvalidExtension, InvalidSeedFile, SeedFileTooLarge, UploadFailed } from './files.errors.js';
import { SeedLines } from './seed-lines.js';

/** Contract: crawling §4.13. */
const MAX_BYTES = 25_000_000;

/** A stored file without a record yet, and facts about its lines. */
interface StagedList {
  readonly staged: StagedFile;
  /** Null: no line is a URL. */
  readonly firstSeed: string | null;
  readonly seedCount: number;
}

/** Streams seed files from the socket to the object store and records them. Contract: archive §9. */
@Injectable()
export class NewSeedFiles {
  constructor(
    private readonly files: SeedFilesRepository,
    private readonly staging: FileStaging,
    private readonly usage: OrgUsage,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
    private readonly trail: AuditTrail,
  ) {}

  /**
   * Streams a file into the org's storage and records it.
   * @throws WriteRefused 403; InvalidExtension, UploadFailed, SeedFileTooLarge, InvalidSeedFile 400: nothing is kept
   *   then
   */
  async add(org: Org, actor: Principal, originalFilename: string, body: Readable): Promise<string> {
    this.usage.assertCanWrite(org, { includeTime: false });
    if (extensionOf(originalFilename) !== '.txt') throw new InvalidExtension();
    const fileId = newId();
    const { staged, firstSeed, seedCount } = await this.put(org, fileId, body);
    const { filename, hash, size, storage, replicas } = staged.file;
    const file: SeedFile = {
      _id: fileId,
      oid: org._id,
      type: 'seedFile',
      ...{ filename, hash, size, storage, replicas },
      originalFilename,
      mime: 'text/plain',
      userid: actor.id,
      userName: actor.name,
      created: this.clock.creationTime(),
      firstSeed,
      seedCount,
      takenAt: null,
    };
    try {
      if (firstSeed === null) throw new InvalidSeedFile();
      await this.unitOfWork.run(async (tx) => {
        this.trail.about('file', fileId);
        await this.staging.keep([staged], tx);
        await this.files.insert(file, tx);
        await this.usage.addBytes(org._id, 'seedFile', file.size, tx);
      });
    } catch (error) {
      await this.staging.discard([staged]);
      throw error instanceof StagingLost ? new UploadFailed() : error;
    }
    return fileId;
  }

  /** @throws SeedFileTooLarge, UploadFailed; then nothing is stored */
  private async put(org: Org, fileId: string, body: Readable): Promise<StagedList> {
    const storage = { name: org.storage.name, custom: org.storage.custom };
    const filename = fileNames.seedFile(fileId, org._id, storage);
    const lines = new SeedLines();
    const broken = new AbortController();
    const breakOff = (error?: unknown) => {
      if (!body.readableEnded) broken.abort(error ?? new Error('the caller broke off'));
    };
    body.once('error', breakOff).once('close', breakOff).pipe(lines);
    try {
      const options = { contentType: 'text/plain', maxBytes: MAX_BYTES, signal: broken.signal };
      const staged = await this.staging.put(org, { filename, storage }, lines, options);
      return { staged, firstSeed: lines.firstSeed, seedCount: lines.count };
    } catch (error) {
      // The rest is read and dropped, so that the caller, who is still sending, gets the answer.
      body.unpipe(lines).resume();
      throw this.failure(error, broken.signal.aborted);
    } finally {
      body.off('error', breakOff).off('close', breakOff);
    }
  }

  private failure(error: unknown, isBroken: boolean): unknown {
    if (error instanceof ObjectTooLarge) return new SeedFileTooLarge();
    const isStorage =
      error instanceof StorageFull || error instanceof StorageDenied || error instanceof StorageUnavailable;
    return isStorage || isBroken ? new UploadFailed() : error;
  }
}
