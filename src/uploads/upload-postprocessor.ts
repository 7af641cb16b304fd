import { Injectable } from '@nestjs/common';
import { Str, Uuid, OneOf } from '../common/validation/fields.js';
import { JobRun } from '../jobs/dto/job-fields.dto.js';
import { DomainEvents } from '../events/domain-events.js';
import type { Item } from '../items/data/item.schema.js';
import { PROCESSING_UPLOAD } from '../items/data/item-state.facts.js';
import { ItemsRepository } from '../items/data/items.repository.js';
import { GoneItems } from '../items/deletion/gone-items.js';
import { HandlesJob, type JobContext, type JobHandler } from '../jobs/job-handlers.js';
import type { Job } from '../jobs/data/job.schema.js';
import { OrgUsage } from '../orgs/org-usage.js';
import { failureReason } from './failure-reason.js';
import { UploadOpener } from './upload-opener.js';
import { UploadReader } from './upload-reader.js';

declare module '../jobs/job-kind.js' {
  interface JobTypes {
    readonly 'postprocess-upload': true;
  }
}

export class PostProcessUploadJob extends JobRun {
  @OneOf(['postprocess-upload']) type = 'postprocess-upload' as const;
  @Uuid() oid!: string;
  @Str() crawl_id!: string;
}

/** Reads the uploaded files and completes the item. Contract: archive.md §4.2. */
@HandlesJob({
  type: 'postprocess-upload',
  after: 'update-coll-stats',
  body: PostProcessUploadJob,
  idOf: ({ crawl_id }) => `postprocess-upload-${crawl_id}`,
  onePerObject: 'counts as started',
  show: ({ crawl_id }) => ({ crawl_id: crawl_id ?? '' }),
})
@Injectable()
export class UploadPostprocessor implements JobHandler {
  readonly concurrency = 4;
  readonly maxTries = 3;

  constructor(
    private readonly items: ItemsRepository,
    private readonly opener: UploadOpener,
    private readonly reader: UploadReader,
    private readonly gone: GoneItems,
    private readonly usage: OrgUsage,
    private readonly events: DomainEvents,
  ) {}

  /** May be repeated: files already split or packaged and pages already stored are left alone. */
  async run(job: Job, context: JobContext): Promise<void> {
    const { oid, crawl_id: itemId } = job;
    if (!oid || !itemId) return;
    try {
      const item = await this.find(oid, itemId);
      if (!item) return;
      await this.opener.open(item, context);
      const counts = await this.reader.readPages(item, context);
      await this.complete(item, counts);
    } finally {
      await this.gone.forgetPages(oid, itemId);
    }
  }

  async failed(job: Job, error: unknown): Promise<void> {
    const item = job.oid && job.crawl_id ? await this.find(job.oid, job.crawl_id) : null;
    if (item?.state !== PROCESSING_UPLOAD) return;
    await this.items.set(item.oid, item._id, { state: 'failed', uploadError: failureReason(error) });
  }

  private async find(oid: string, itemId: string): Promise<Item | null> {
    const item = await this.items.findById(oid, itemId, 'upload');
    return item?.deleted ? null : item;
  }

  private async complete(item: Item, counts: Partial<Item>): Promise<void> {
    const { oid, _id: itemId } = item;
    await this.events.transact(async (tx, record) => {
      const filter = { _id: itemId, state: { $in: [PROCESSING_UPLOAD, 'failed'] }, deleted: { $ne: true } };
      const before = await this.items.scoped.findOneAndUpdate(
        oid,
        filter,
        { $set: { ...counts, state: 'complete', uploadError: null } },
        { tx, returns: 'before' },
      );
      if (!before) return;
      if (before.finished) await this.usage.itemFinished(oid, before.finished, tx);
      record('upload.finished', { oid, itemId, state: 'complete' });
      const itemIds = [itemId];
      for (const collectionId of before.collectionIds ?? []) {
        record('collection.itemsAdded', { oid, collectionId, itemIds });
      }
    });
  }
}
