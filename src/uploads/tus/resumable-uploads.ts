import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../common/clock/clock.js';
import { isDatabaseAway } from '../../common/errors/database-away.js';
import { minutes } from '../../common/units/durations.js';
import { AppConfig } from '../../config/app-config.js';
import { failedAgain } from '../../database/failing.js';
import type { Lease } from '../../database/leases.js';
import { UnitOfWork, type Tx } from '../../database/unit-of-work.js';
import type { StoredFile } from '../../objects/data/stored-file.schema.js';
import { FileRemover } from '../../objects/file-remover.js';
import { FileStaging, type StagedFile } from '../../objects/file-staging.js';
import type { Org } from '../../orgs/data/org.schema.js';
import { WriteRefused } from '../../orgs/orgs.errors.js';
import { fileNames } from '../../storage/file-names.js';
import { StorageError } from '../../storage/storage.errors.js';
import type { ResumableUpload } from '../data/resumable-upload.schema.js';
import { ResumableUploadsRepository } from '../data/resumable-uploads.repository.js';
import { shownName } from '../shown-name.js';
import { UploadIngester } from '../upload-ingester.js';
import type { Uploader } from '../uploader.js';
import { TooManyOpenUploads, TooManyPieces, UploadInterrupted } from '../uploads.errors.js';
import { PieceSource } from './piece-source.js';
import { parseTusMetadata, type TusMetadata } from './tus-metadata.js';
import { TUS_REFUSALS, tusError } from './tus-refusals.js';

/** Bytes of a piece, the most that a crash can cost. Pieces of very large uploads are larger to limit their number. */
const PIECE_BYTES = 64 * 1024 * 1024;
const FULL_PIECES = 5_000;
/** Most pieces of an upload, because one document lists them. Requests that end early leave small pieces. */
const MAX_PIECES = 10_000;
const MAX_OPEN = 1_000;
const MAX_SWEPT = 100;

/** Ends the transaction: the upload has changed since the request began. */
class Overtaken extends Error {}

/**
 * Uploads that may be interrupted. Every request's bytes become objects, which are stored before they are counted. A
 * complete upload becomes an item. Any process may take the next request.
 */
@Injectable()
export class ResumableUploads {
  private readonly logger = new Logger('uploads');

  constructor(
    private readonly uploads: ResumableUploadsRepository,
    private readonly staging: FileStaging,
    private readonly remover: FileRemover,
    private readonly ingester: UploadIngester,
    private readonly unitOfWork: UnitOfWork,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  get lifetimeMs(): number {
    return minutes(this.config.uploads.resumableMinutes);
  }

  expiresFromNow(): Date {
    return new Date(this.clock.nowMs() + this.lifetimeMs);
  }

  /** @throws InputRefused 422; WriteRefused, CollectionNotFound, UploadStillProcessing, TooManyOpenUploads */
  async create({ org, actor }: Uploader, upload: { id: string; size: number; metadata: TusMetadata }): Promise<void> {
    const { id, size, metadata } = upload;
    const { input, replaceId } = parseTusMetadata(metadata);
    await this.ingester.check(org, input, size);
    await this.ingester.findReplaced(org, replaceId);
    if ((await this.uploads.countOpen(org._id, MAX_OPEN)) >= MAX_OPEN) throw new TooManyOpenUploads();
    const by = { userid: actor.id, userName: actor.name };
    const unlocked = { lockOwner: null, lockedUntil: null, isLockWanted: false };
    const progress = { size, offset: 0, pieces: [], itemId: null, expires: this.expiresFromNow() };
    await this.uploads.insert(org._id, { _id: id, ...by, metadata, ...progress, ...unlocked });
  }

  /** @throws the protocol's 404 and 410 */
  async get(oid: string, id: string): Promise<ResumableUpload> {
    const upload = await this.uploads.find(oid, id);
    if (!upload) throw tusError(TUS_REFUSALS.notFound);
    if (upload.expires < this.clock.now()) throw tusError(TUS_REFUSALS.expired);
    return upload;
  }

  /**
   * Stores the bytes piece by piece as they arrive. @returns the new offset
   * @throws UploadInterrupted 503 when the store fails; counted pieces stay
   */
  async write(org: Org, id: string, body: AsyncIterable<Buffer>, offset: number): Promise<number> {
    const upload = await this.get(org._id, id);
    const source = new PieceSource(body);
    let position = offset;
    let count = upload.pieces.length;
    while (await source.hasMore()) {
      if (count >= MAX_PIECES) throw new TooManyPieces();
      const piece = await this.store(org, upload, source);
      await this.append(upload, piece, position);
      position += piece.file.size;
      count += 1;
    }
    if (source.failure !== undefined) throw source.failure as Error;
    return position;
  }

  /**
   * Makes the item of a complete upload. Does nothing for an incomplete one or one that has its item.
   * @throws WriteRefused when the org's quota was used up meanwhile: the upload is deleted then; UploadStillProcessing
   */
  async finish(org: Org, id: string): Promise<string | null> {
    const upload = await this.get(org._id, id);
    if (upload.itemId !== null || upload.offset < upload.size) return upload.itemId;
    const { input, replaceId } = parseTusMetadata(upload.metadata);
    const by = { org, actor: { id: upload.userid, name: upload.userName } };
    const replaced = await this.ingester.findReplaced(org, replaceId);
    const newId = `upload-${upload._id}`;
    const adopt = async (itemId: string, tx: Tx): Promise<void> => {
      const done = { itemId, expires: this.expiresFromNow() };
      if (!(await this.uploads.complete(org._id, id, done, tx))) throw new Overtaken();
    };
    const adopted = { files: await this.filesOf(org, upload), adopt };
    try {
      return (await this.ingester.adopt(by, input, { newId, staged: [], replaced, adopted, size: upload.size })).id;
    } catch (error) {
      if (error instanceof Overtaken) return (await this.get(org._id, id)).itemId;
      if (error instanceof WriteRefused) await this.remove(org._id, id);
      throw error;
    }
  }

  /** Deletes an upload with its pieces. An item made from it stays. */
  async remove(oid: string, id: string): Promise<boolean> {
    let planned: Lease | null = null;
    const isRemoved = await this.unitOfWork.run(async (tx) => {
      const upload = await this.uploads.take(oid, id, tx);
      planned = upload ? await this.remover.plan(oid, upload.pieces, tx) : null;
      return upload !== null;
    });
    await this.remover.carryOut(planned);
    return isRemoved;
  }

  /** Deletes expired uploads. @returns how many */
  @Interval(minutes(5))
  async sweep(): Promise<number> {
    const expired = await this.uploads.findExpiredAcrossOrgs(this.clock.now(), MAX_SWEPT);
    for (const { oid, _id, failing: before } of expired) {
      try {
        await this.remove(oid, _id);
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        const failing = failedAgain(before, error, this.clock.now());
        this.logger.error({ event: 'expired_upload_not_deleted', oid, uploadId: _id, ...failing, err: error });
        await this.uploads.setFailing(oid, _id, failing);
      }
    }
    return expired.length;
  }

  async removeAllOf(oid: string): Promise<void> {
    for (;;) {
      const uploads = await this.uploads.listOf(oid, MAX_SWEPT);
      for (const { _id } of uploads) await this.remove(oid, _id);
      if (uploads.length < MAX_SWEPT) return;
    }
  }

  private async store(org: Org, upload: ResumableUpload, source: PieceSource): Promise<StagedFile> {
    const storage = { name: org.storage.name, custom: org.storage.custom };
    const originalName = parseTusMetadata(upload.metadata).filename;
    const filename = fileNames.upload(`upload-${upload._id}`, { oid: org._id, storage, originalName });
    const body = source.next(Math.max(PIECE_BYTES, Math.ceil(upload.size / FULL_PIECES)));
    try {
      return await this.staging.put(org, { filename, storage }, body);
    } catch (error) {
      if (error instanceof StorageError) throw new UploadInterrupted(error.message, { cause: error });
      throw error;
    } finally {
      body.destroy();
    }
  }

  private async append(upload: ResumableUpload, staged: StagedFile, offset: number): Promise<void> {
    const change = { offset, piece: staged.file, expires: this.expiresFromNow() };
    try {
      await this.unitOfWork.run(async (tx) => {
        await this.staging.keep([staged], tx);
        if (!(await this.uploads.append(upload.oid, upload._id, change, tx))) throw new Overtaken();
      });
    } catch (error) {
      await this.staging.discard([staged]);
      throw error instanceof Overtaken ? tusError(TUS_REFUSALS.otherOffset) : error;
    }
  }

  /** The pieces as files of an item, which are joined when the item is processed. A single piece is the file. */
  private async filesOf(org: Org, upload: ResumableUpload): Promise<StoredFile[]> {
    const originalFilename = shownName(parseTusMetadata(upload.metadata).filename);
    if (upload.pieces.length > 0) {
      const isPiece = upload.pieces.length > 1 ? { isPiece: true } : {};
      return upload.pieces.map((piece) => ({ ...piece, originalFilename, ...isPiece }));
    }
    // An empty upload gives an empty file, as it does when it is sent in one go.
    const empty = new PieceSource((async function* () {})());
    const staged = await this.store(org, upload, empty);
    await this.append(upload, staged, 0);
    return [{ ...staged.file, originalFilename }];
  }
}
