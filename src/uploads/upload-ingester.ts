import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { newId } from '../common/ids/uuid.js';
import { CollectionsReads } from '../collections/data/collections.reads.js';
import { PROCESSING_UPLOAD } from '../items/data/item-state.facts.js';
import type { Item } from '../items/data/item.schema.js';
import { ItemsRepository } from '../items/data/items.repository.js';
import { FileStaging, type StagedFile } from '../objects/file-staging.js';
import type { Org } from '../orgs/data/org.schema.js';
import { OrgsRepository } from '../orgs/data/orgs.repository.js';
import { OrgUsage } from '../orgs/org-usage.js';
import { WriteRefused } from '../orgs/orgs.errors.js';
import { fileNames } from '../storage/file-names.js';
import { ObjectTooLarge, StorageError } from '../storage/storage.errors.js';
import { dropRest } from '../common/http/drop-rest.js';
import { eachFormFile } from './form-parts.js';
import { shownName } from './shown-name.js';
import { UploadRecorder, type NewUpload } from './upload-recorder.js';
import type { UploadInput } from './upload-input.js';
import type { UploadAccepted, Uploader } from './uploader.js';
import { UploadStillProcessing } from './uploads.errors.js';
import { CollectionNotFound } from '../items/membership/membership.errors.js';
import { UploadFailed } from '../files/files.errors.js';

/** The announced length, which the HTTP parser enforces. Undefined for a chunked body. */
function lengthOf({ headers }: IncomingMessage): number | undefined {
  const announced = headers['content-length'];
  return announced === undefined ? undefined : Number(announced);
}

/** Bytes until the quota is reached; undefined without a quota. */
function roomOf(org: Org, extraBytes = 0): number | undefined {
  const quota = org.quotas?.storageQuota ?? 0;
  return quota > 0 ? Math.max(quota - (org.bytesStored ?? 0) - extraBytes, 0) : undefined;
}

/** Streams uploads from the socket to the object store and makes items from them. Contract: archive.md §4. */
@Injectable()
export class UploadIngester {
  constructor(
    private readonly items: ItemsRepository,
    private readonly orgs: OrgsRepository,
    private readonly collections: CollectionsReads,
    private readonly staging: FileStaging,
    private readonly recorder: UploadRecorder,
    private readonly usage: OrgUsage,
  ) {}

  /**
   * Takes the request body as one file.
   * @param file `replaceId`: the upload to replace; an unknown id counts as none
   * @throws WriteRefused 403, CollectionNotFound 404, UploadStillProcessing, UploadFailed 400: then nothing is kept
   */
  async stream(
    by: Uploader,
    input: UploadInput,
    file: { originalName: string; replaceId: string | null },
    request: IncomingMessage,
  ): Promise<UploadAccepted> {
    await this.check(by.org, input);
    const replaced = await this.findReplaced(by.org, file.replaceId);
    const ownId = `upload-${newId()}`;
    const staged = await this.whileConnected(request, (signal) =>
      this.store(
        by.org,
        { itemId: replaced?._id ?? ownId, originalName: file.originalName, exactSize: lengthOf(request), before: 0 },
        request,
        signal,
      ),
    );
    return this.recorder.record(by, input, { newId: ownId, staged: [staged], replaced });
  }

  /**
   * Takes a form with one or more files as one item.
   * @throws InputRefused 422 without a file; WriteRefused, CollectionNotFound, UploadFailed
   */
  async form(by: Uploader, input: UploadInput, request: IncomingMessage): Promise<UploadAccepted> {
    await this.check(by.org, input);
    const itemId = newId();
    const staged: StagedFile[] = [];
    try {
      await this.whileConnected(request, (signal) =>
        eachFormFile(request, async (body, originalName) => {
          const before = staged.reduce((sum, { file }) => sum + file.size, 0);
          staged.push(await this.store(by.org, { itemId, originalName, before }, body, signal));
        }),
      );
    } catch (error) {
      await this.staging.discard(staged);
      throw error;
    }
    return this.recorder.record(by, input, { newId: itemId, staged, replaced: null });
  }

  /**
   * Checks whether an upload with this input may begin. `size` is given when it is known.
   * @throws WriteRefused 403, CollectionNotFound 404
   */
  async check(org: Org, input: UploadInput, size = 0): Promise<void> {
    this.assertFits(org, size);
    const known = await this.collections.existing(org._id, input.collectionIds);
    if (known.length < input.collectionIds.length) throw new CollectionNotFound();
  }

  /** The upload to replace; null for an unknown id. @throws UploadStillProcessing */
  async findReplaced(org: Org, replaceId: string | null): Promise<Item | null> {
    const replaced = replaceId ? await this.items.findById(org._id, replaceId, 'upload') : null;
    if (replaced?.state === PROCESSING_UPLOAD) throw new UploadStillProcessing();
    return replaced;
  }

  /**
   * Makes an item from stored files.
   * @throws WriteRefused when they do not fit into the org's present quota; UploadStillProcessing
   */
  async adopt(by: Uploader, input: UploadInput, upload: NewUpload & { size: number }): Promise<UploadAccepted> {
    const org = await this.orgs.findById(by.org._id);
    this.assertFits(org ?? by.org, upload.size);
    return this.recorder.record(by, input, upload);
  }

  private assertFits(org: Org, size: number): void {
    this.usage.assertCanWrite(org, { includeTime: false });
    const maxBytes = roomOf(org);
    if (maxBytes !== undefined && size > maxBytes) throw new WriteRefused('storage_quota_reached');
  }

  /** Stores at most the room left in the org's quota; the first byte beyond it ends the upload. */
  private async store(
    org: Org,
    file: { itemId: string; originalName: string; exactSize?: number; before: number },
    body: Readable,
    signal: AbortSignal,
  ): Promise<StagedFile> {
    const { itemId, originalName, exactSize, before } = file;
    const storage = { name: org.storage.name, custom: org.storage.custom };
    const filename = fileNames.upload(itemId, { oid: org._id, storage, originalName });
    const maxBytes = roomOf(org, before);
    if (maxBytes !== undefined && exactSize !== undefined && exactSize > maxBytes)
      throw new WriteRefused('storage_quota_reached');
    const staged = await this.staging.put(org, { filename, storage }, body, { exactSize, maxBytes, signal });
    return Object.assign(staged, { file: { ...staged.file, originalFilename: shownName(originalName) } });
  }

  /** Runs `work` with a signal that fires when the client goes away. Failures become the contract's errors. */
  private async whileConnected<T>(request: IncomingMessage, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const gone = new AbortController();
    const onClose = (): void => {
      if (!request.readableEnded) gone.abort(new UploadFailed('the client went away'));
    };
    request.once('close', onClose);
    try {
      return await work(gone.signal);
    } catch (error) {
      dropRest(request);
      if (error instanceof ObjectTooLarge) throw new WriteRefused('storage_quota_reached');
      if (error instanceof StorageError) throw new UploadFailed(error.message, { cause: error });
      throw gone.signal.aborted ? new UploadFailed('the client went away', { cause: error }) : error;
    } finally {
      request.off('close', onClose);
    }
  }
}
