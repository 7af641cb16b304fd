import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../../common/clock/clock.js';
import { isDatabaseAway } from '../../common/errors/database-away.js';
import { hours, minutes } from '../../common/units/durations.js';
import type { Lease } from '../../database/leases.js';
import { UnitOfWork, type Tx } from '../../database/unit-of-work.js';
import type { DomainEvent } from '../../events/event-types.js';
import { OnFact } from '../../events/on-fact.js';
import type { StoredFile } from '../../objects/data/stored-file.schema.js';
import { FileRemover } from '../../objects/file-remover.js';
import { OrgUsage } from '../../orgs/org-usage.js';
import type { KeptItem } from '../data/kept-item.schema.js';
import { KeptItemsRepository } from '../data/kept-items.repository.js';
import { KeptItems } from './kept-items.js';

/** Kept items that are looked at in one go. */
const BATCH = 20;
/** Every change that may free files makes them due at once; the next look finds what old documents do not tell. */
const NEXT_LOOK_MS = hours(6);
/** A look that failed is repeated after this. */
const RETRY_MS = minutes(10);

/**
 * Deletes the files of kept items when the last dependent is gone. A look at one is one transaction, so several
 * processes, or one after a crash, may look at the same.
 */
@Injectable()
export class KeptItemReaper {
  private readonly logger = new Logger('items');

  constructor(
    private readonly kept: KeptItemsRepository,
    private readonly items: KeptItems,
    private readonly usage: OrgUsage,
    private readonly files: FileRemover,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  @OnFact(['item.deleted', 'crawl.finished'], 'items.kept-no-longer-needed')
  async dependentGone({ payload }: DomainEvent<'item.deleted' | 'crawl.finished'>): Promise<void> {
    const { oid } = payload;
    // A crawl may have been told of an item while its end was being stored, which then did not let go of it.
    if ('crawlId' in payload) await this.unitOfWork.run((tx) => this.items.letGo(oid, payload.crawlId, tx));
    while ((await this.lookAtDue(oid)) > 0);
  }

  /** Looks at what is due in all orgs. @returns how many were looked at */
  @Interval(minutes(1))
  async recover(): Promise<number> {
    return this.lookAtDue(null);
  }

  /** Takes the files of kept items down. @returns false when some object is to be deleted later */
  async takeDown(oid: string, itemIds: readonly string[]): Promise<boolean> {
    let complete = true;
    for (const itemId of itemIds) {
      const planned = await this.unitOfWork.run(async (tx) => {
        const before = await this.items.takeDown(oid, itemId, tx);
        return before && this.forget(before, tx);
      });
      complete = (await this.files.carryOut(planned)) && complete;
    }
    await this.lookAtDue(oid);
    return complete;
  }

  /** Deletes all kept items of an org that is deleted. */
  async removeAll(oid: string): Promise<void> {
    for (;;) {
      const kept = await this.kept.scoped.find(oid, {}, { limit: BATCH, projection: { _id: 1 } });
      if (kept.length === 0) return;
      for (const { _id } of kept) {
        const planned = await this.unitOfWork.run(async (tx) => {
          const taken = await this.kept.take(oid, _id, tx);
          return taken && this.forget(taken, tx);
        });
        await this.files.carryOut(planned);
      }
    }
  }

  private async lookAtDue(oid: string | null): Promise<number> {
    const due = await this.kept.due(oid, this.clock.now(), BATCH);
    for (const { oid: of, _id: itemId } of due) {
      try {
        await this.look(of, itemId);
      } catch (error) {
        if (isDatabaseAway(error)) throw error;
        this.logger.error({ event: 'kept_item_not_looked_at', oid: of, itemId, err: error });
        const next = new Date(this.clock.nowMs() + RETRY_MS);
        await this.unitOfWork.run((tx) => this.kept.setDue(of, [itemId], next, tx));
      }
    }
    return due.length;
  }

  private async look(oid: string, itemId: string): Promise<void> {
    const nextLook = new Date(this.clock.nowMs() + NEXT_LOOK_MS);
    const planned = await this.unitOfWork.run(async (tx) => {
      const taken = await this.items.takeUnneeded(oid, itemId, nextLook, tx);
      return taken && this.forget(taken, tx);
    });
    await this.files.carryOut(planned);
  }

  /** Subtracts the bytes and plans the deletion of the objects. */
  private async forget({ oid, _id: id, type, files }: KeptItem, tx: Tx): Promise<Lease | null> {
    await this.usage.addBytes(oid, type === 'upload' ? 'upload' : 'crawl', -bytesOf(files), tx);
    return this.files.plan(oid, files, tx, { type, id });
  }
}

const bytesOf = (files: readonly StoredFile[]): number => files.reduce((sum, { size }) => sum + size, 0);
