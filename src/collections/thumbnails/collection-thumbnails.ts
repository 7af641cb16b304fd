import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/access/access.js';
import { Clock } from '../../common/clock/clock.js';
import type { Lease } from '../../database/leases.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { FileRemover } from '../../objects/file-remover.js';
import { FileStaging, type StagedFile } from '../../objects/file-staging.js';
import { FileDeletionError } from '../../objects/objects.errors.js';
import { CollectionNotFound } from '../../items/membership/membership.errors.js';
import type { Org } from '../../orgs/data/org.schema.js';
import { OrgUsage } from '../../orgs/org-usage.js';
import { fileNames } from '../../storage/file-names.js';
import { StorageError } from '../../storage/storage.errors.js';
import { ThumbnailNotFound, ThumbnailTooLarge } from '../collections.errors.js';
import type { StoredThumbnail, StoredThumbnailSource } from '../data/collection.schema.js';
import { CollectionsRepository } from '../data/collections.repository.js';
import { encodeImage, type EncodedImage } from './thumbnail-image.js';
import { UploadFailed } from '../../files/files.errors.js';

/** Contract: archive §1, constants. */
const MAX_BYTES = 2_000_000;

export interface NewThumbnail {
  readonly filename: string;
  readonly source: StoredThumbnailSource | null;
  readonly body: Readable;
}

/** Reads the body with at most the limit in memory. @throws ThumbnailTooLarge, UploadFailed when it breaks off */
async function readImage(body: Readable): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size <= MAX_BYTES) chunks.push(chunk);
    }
  } catch {
    throw new UploadFailed();
  }
  if (size > MAX_BYTES) throw new ThumbnailTooLarge();
  return Buffer.concat(chunks);
}

/** Stores and deletes images of collections. Contract: archive §7, `thumbnail`. */
@Injectable()
export class CollectionThumbnails {
  constructor(
    private readonly collections: CollectionsRepository,
    private readonly usage: OrgUsage,
    private readonly files: FileRemover,
    private readonly staging: FileStaging,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /**
   * Replaces the image.
   * @throws WriteRefused, CollectionNotFound, ThumbnailTooLarge, UploadFailed for bytes that are no image
   */
  async put(
    org: Org,
    collectionId: string,
    caller: Principal,
    { filename, source, body }: NewThumbnail,
  ): Promise<void> {
    this.usage.assertCanWrite(org, { includeTime: false });
    if (!(await this.collections.exists(org._id, collectionId))) throw new CollectionNotFound();
    const image = await encodeImage(await readImage(body));
    if (!image) throw new UploadFailed();
    const staged = await this.stage(org, collectionId, filename, image);
    const { file } = staged;
    const thumbnail: StoredThumbnail = {
      ...{ filename: file.filename, hash: file.hash, size: file.size, storage: file.storage, replicas: [] },
      originalFilename: filename,
      mime: image.mime,
      userid: caller.id,
      userName: caller.name,
      created: this.clock.timestamp(),
    };
    const planned = await this.replace(org._id, collectionId, { thumbnail, thumbnailSource: source }, staged);
    await this.files.carryOut(planned);
  }

  /** Keeps the record of the page. @throws CollectionNotFound, ThumbnailNotFound, FileDeletionError */
  async delete(oid: string, collectionId: string): Promise<void> {
    const planned = await this.unitOfWork.run(async (tx) => {
      const before = await this.collections.change(oid, collectionId, { thumbnail: null }, { tx });
      if (!before) throw new CollectionNotFound();
      if (!before.thumbnail) throw new ThumbnailNotFound();
      await this.usage.addBytes(oid, 'thumbnail', -before.thumbnail.size, tx);
      return this.files.plan(oid, [before.thumbnail], tx);
    });
    if (!(await this.files.carryOut(planned))) throw new FileDeletionError();
  }

  /** @returns the plan to delete the former image @throws CollectionNotFound */
  private async replace(
    oid: string,
    collectionId: string,
    fields: { thumbnail: StoredThumbnail; thumbnailSource: StoredThumbnailSource | null },
    staged: StagedFile,
  ): Promise<Lease | null> {
    try {
      const { plan } = await this.unitOfWork.run(async (tx) => {
        const before = await this.collections.change(oid, collectionId, fields, { tx });
        if (!before) throw new CollectionNotFound();
        await this.staging.keep([staged], tx);
        await this.usage.addBytes(oid, 'thumbnail', fields.thumbnail.size - (before.thumbnail?.size ?? 0), tx);
        return { plan: before.thumbnail ? await this.files.plan(oid, [before.thumbnail], tx) : null };
      });
      return plan;
    } catch (error) {
      await this.staging.discard([staged]);
      throw error;
    }
  }

  private async stage(
    org: Org,
    collectionId: string,
    originalName: string,
    { bytes, mime }: EncodedImage,
  ): Promise<StagedFile> {
    const storage = { name: org.storage.name, custom: org.storage.custom ?? false };
    const filename = fileNames.thumbnail(collectionId, { oid: org._id, storage, originalName });
    try {
      return await this.staging.put(org, { filename, storage }, bytes, { contentType: mime, exactSize: bytes.length });
    } catch (error) {
      if (error instanceof StorageError) throw new UploadFailed();
      throw error;
    }
  }
}
