import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { Clock } from '../common/clock/clock.js';
import type { Lease } from '../database/leases.js';
import type { Tx } from '../database/unit-of-work.js';
import { DomainEvents } from '../events/domain-events.js';
import type { Item } from '../items/data/item.schema.js';
import { PROCESSING_UPLOAD } from '../items/data/item-state.facts.js';
import { NEW_ITEM } from '../items/data/new-item.facts.js';
import { ItemsRepository } from '../items/data/items.repository.js';
import type { StoredFile } from '../objects/data/stored-file.schema.js';
import { FileRemover } from '../objects/file-remover.js';
import { FileStaging, type StagedFile } from '../objects/file-staging.js';
import { JobStarter } from '../jobs/job-starter.js';
import { OrgUsage } from '../orgs/org-usage.js';
import { defaultName, type UploadInput } from './upload-input.js';
import type { UploadAccepted, Uploader } from './uploader.js';
import { UploadStillProcessing } from './uploads.errors.js';
import { wholeSecond } from '../common/units/durations.js';

/** The upload to be replaced was deleted after the look-up. */
class PlaceGone extends Error {}

export interface NewUpload {
  /** The item's id, unless the upload replaces another item. */
  readonly newId: string;
  readonly staged: readonly StagedFile[];
  /** Files that a document already refers to. `adopt` takes them off that document in the same transaction. */
  readonly adopted?: {
    readonly files: readonly StoredFile[];
    readonly adopt: (itemId: string, tx: Tx) => Promise<void>;
  };
  /** The upload to replace. */
  readonly replaced: Item | null;
}

/** Makes an item from stored files. Document, usage and reading job are written together or not at all. */
@Injectable()
export class UploadRecorder {
  constructor(
    private readonly items: ItemsRepository,
    private readonly staging: FileStaging,
    private readonly remover: FileRemover,
    private readonly usage: OrgUsage,
    private readonly events: DomainEvents,
    private readonly jobs: JobStarter,
    private readonly trail: AuditTrail,
    private readonly clock: Clock,
  ) {}

  /**
   * When the upload to replace was deleted meanwhile, the new one becomes an item of its own.
   * @throws UploadStillProcessing when another upload took the place meanwhile, WriteRefused when others used up the
   *  quota or the org is read-only by now; the files are discarded then
   */
  async record(by: Uploader, input: UploadInput, upload: NewUpload): Promise<UploadAccepted> {
    const oid = by.org._id;
    const item = this.itemOf(by, input, upload);
    let planned: Lease | null = null;
    try {
      await this.events.transact(async (tx, record) => {
        await this.staging.keep(upload.staged, tx);
        await upload.adopted?.adopt(item._id, tx);
        await this.usage.takeBytes(oid, 'upload', item.fileSize - (upload.replaced?.fileSize ?? 0), tx);
        planned = upload.replaced
          ? await this.replace(oid, item, upload.replaced, tx)
          : await this.insert(oid, item, tx);
        const left = (upload.replaced?.collectionIds ?? []).filter((id) => !input.collectionIds.includes(id));
        for (const collectionId of left) record('collection.itemsRemoved', { oid, collectionId, itemIds: [item._id] });
        await this.trail.made({ action: 'upload.finished', oid, about: ['item', item._id] }, tx);
        await this.jobs.start('postprocess-upload', { oid, fields: { crawl_id: item._id }, tx });
      });
    } catch (error) {
      if (error instanceof PlaceGone) return this.record(by, input, { ...upload, replaced: null });
      await this.staging.discard(upload.staged);
      throw error;
    }
    this.jobs.wake();
    await this.remover.carryOut(planned);
    const { storageQuotaReached } = await this.usage.quotaFlags(oid);
    return { id: item._id, storageQuotaReached };
  }

  private async insert(oid: string, item: Omit<Item, 'oid'>, tx: Tx): Promise<null> {
    await this.items.insert(oid, item, tx);
    return null;
  }

  /** @returns the plan of the old files' deletion */
  private async replace(oid: string, item: Omit<Item, 'oid'>, old: Item, tx: Tx): Promise<Lease | null> {
    const { _id, ...fields } = item;
    // Replaces the upload only in the state that was seen: of two uploads for one place, the later one is refused.
    const unchanged = { _id, type: 'upload' as const, 'files.filename': old.files[0]?.filename };
    const filter = { ...unchanged, state: { $ne: PROCESSING_UPLOAD }, deleted: { $ne: true } };
    const left = await this.items.scoped.findOneAndUpdate(oid, filter, { $set: fields }, { tx, returns: 'before' });
    if (!left) throw await this.whyNotReplaced(oid, _id, tx);
    // The plan includes the copies that were made while the new file was sent.
    return this.remover.plan(oid, left.files, tx, { type: 'upload', id: old._id });
  }

  private async whyNotReplaced(oid: string, _id: string, tx: Tx): Promise<Error> {
    const isThere = await this.items.scoped.exists(oid, { _id, deleted: { $ne: true } }, tx);
    return isThere ? new UploadStillProcessing() : new PlaceGone();
  }

  private itemOf(
    { actor }: Uploader,
    input: UploadInput,
    { newId, replaced, staged, adopted }: NewUpload,
  ): Omit<Item, 'oid'> {
    const started = this.clock.creationTime();
    const now = wholeSecond(started);
    const files = adopted ? [...adopted.files] : staged.map(({ file }) => file);
    return {
      ...NEW_ITEM,
      _id: replaced?._id ?? newId,
      type: 'upload',
      cid: null,
      userid: actor.id,
      userName: actor.name,
      name: input.name || defaultName(now),
      description: input.description,
      tags: input.tags,
      collectionIds: input.collectionIds,
      started,
      finished: now,
      state: PROCESSING_UPLOAD,
      files,
      fileSize: files.reduce((sum, { size }) => sum + size, 0),
      fileCount: files.length,
      image: null,
      fixity: null,
      deleted: false,
    };
  }
}
