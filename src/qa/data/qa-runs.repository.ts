import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { OrgScoped } from '../../database/org-scoped.js';
import type { Tx } from '../../database/unit-of-work.js';
import { NON_RUNNING, SUCCESSFUL } from '../../items/data/item-state.facts.js';
import { Item } from '../../items/data/item.schema.js';
import { SET_QA_SORT_FIELDS } from '../../items/data/qa-sort-fields.facts.js';
import type { QaRun } from '../../items/data/qa-run.schema.js';

/** QA runs inside their crawls: the active one in `qa`, the finished ones in `qaFinished`. */
@Injectable()
export class QaRunsRepository {
  private readonly items: OrgScoped<Item>;

  constructor(@InjectModel(Item.name) model: Model<Item>) {
    this.items = new OrgScoped(model);
  }

  /** Makes a run the crawl's active one. @returns false when there is one, or the crawl can't have any */
  async start(oid: string, crawlId: string, run: QaRun, tx: Tx): Promise<boolean> {
    const filter = {
      _id: crawlId,
      type: 'crawl' as const,
      qa: null,
      state: { $in: [...SUCCESSFUL] },
      deleted: { $ne: true },
    };
    if ((await this.items.updateOne(oid, filter, { $set: { qa: run } }, { tx })).matched === 0) return false;
    await this.items.updateOne(oid, { _id: crawlId }, [SET_QA_SORT_FIELDS], { tx });
    return true;
  }

  /** Moves the active run into `qaFinished` in one step, if it has ended. */
  async settle(oid: string, crawlId: string, qaRunId: string): Promise<boolean> {
    const field = { $literal: qaRunId };
    const finished = { $ifNull: ['$qaFinished', {}] };
    const hasEnded = {
      $and: [{ $ne: [{ $ifNull: ['$qa.finished', null] }, null] }, { $in: ['$qa.state', [...NON_RUNNING]] }],
    };
    const update = [
      {
        $set: {
          qaFinished: { $cond: [hasEnded, { $setField: { field, input: finished, value: '$qa' } }, finished] },
          qa: null,
        },
      },
      SET_QA_SORT_FIELDS,
    ];
    const filter = { _id: crawlId, 'qa.id': qaRunId } as object;
    return (await this.items.updateOne(oid, filter, update as never)).matched === 1;
  }

  /** Removes a finished run. @returns the run, or null when another call removed it */
  async remove(oid: string, crawlId: string, qaRunId: string, tx: Tx): Promise<QaRun | null> {
    const key = `qaFinished.${qaRunId}`;
    const filter = { _id: crawlId, [key]: { $exists: true } } as object;
    const update = [{ $unset: key }, SET_QA_SORT_FIELDS];
    const before = await this.items.findOneAndUpdate(oid, filter, update, { returns: 'before', tx });
    return before?.qaFinished?.[qaRunId] ?? null;
  }
}
