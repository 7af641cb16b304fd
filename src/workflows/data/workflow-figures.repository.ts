import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { OrgScoped } from '../../database/org-scoped.js';
import { Workflow } from './workflow.schema.js';

/** Events remembered per workflow. More events than this cannot arrive out of order while one process is down. */
const REMEMBERED_EVENTS = 50;

export interface FigureChange {
  readonly crawlAttemptCount?: number;
  readonly crawlCount?: number;
  readonly crawlSuccessfulCount?: number;
  readonly totalSize?: number;
}

export type LastCrawlFields = Pick<
  Workflow,
  | 'lastCrawlId'
  | 'lastCrawlStartTime'
  | 'lastStartedBy'
  | 'lastStartedByName'
  | 'lastCrawlTime'
  | 'lastCrawlState'
  | 'lastCrawlSize'
  | 'lastCrawlStats'
  | 'lastCrawlStopping'
  | 'lastRun'
  | 'isCrawlRunning'
>;

/** Stores the figures that workflows keep of their crawls. */
@Injectable()
export class WorkflowFiguresRepository {
  private readonly workflows: OrgScoped<Workflow>;

  constructor(@InjectModel(Workflow.name) private readonly model: Model<Workflow>) {
    this.workflows = new OrgScoped(model);
  }

  /** Adds to the counters, once per event and never below zero. @returns false when the event was counted before */
  async count(oid: string, cid: string, eventId: string, change: FigureChange): Promise<boolean> {
    const sums = Object.entries(change).map(([field, by]) => [
      field,
      { $max: [0, { $add: [{ $ifNull: [`$${field}`, 0] }, by as number] }] },
    ]);
    const remembered = { $concatArrays: [{ $ifNull: ['$countedEvents', []] }, [eventId]] };
    const set = {
      ...(Object.fromEntries(sums) as Record<string, unknown>),
      countedEvents: { $slice: [remembered, -REMEMBERED_EVENTS] },
      figuresRev: { $add: [{ $ifNull: ['$figuresRev', 0] }, 1] },
    };
    const filter = { _id: cid, countedEvents: { $ne: eventId } };
    return (await this.workflows.updateOne(oid, filter, [{ $set: set }])).matched === 1;
  }

  /**
   * Records that the workflow's crawls have changed, so that earlier readings are void.
   * @returns the new number, or null when the workflow is gone
   */
  async bump(oid: string, cid: string): Promise<number | null> {
    const projection = { figuresRev: 1 } as const;
    const found = await this.workflows.findOneAndUpdate(oid, { _id: cid }, { $inc: { figuresRev: 1 } }, { projection });
    return found?.figuresRev ?? null;
  }

  /** Writes what was read of the crawls. @returns false when they changed after `figuresRev` was read */
  async setLastCrawl(oid: string, cid: string, figuresRev: number, fields: LastCrawlFields): Promise<boolean> {
    return (await this.workflows.updateOne(oid, { _id: cid, figuresRev }, { $set: fields })).matched === 1;
  }

  /** Changes the user's name that workflows store beside the id. */
  async renameUserAcrossOrgs(userId: string, name: string): Promise<void> {
    await this.model.updateMany({ createdBy: userId }, { $set: { createdByName: name } }).exec();
    await this.model.updateMany({ modifiedBy: userId }, { $set: { modifiedByName: name } }).exec();
    await this.model.updateMany({ lastStartedBy: userId }, { $set: { lastStartedByName: name } }).exec();
  }

  /** Detaches all workflows from a collection's dedupe index. */
  async forgetDedupeIndex(oid: string, collectionId: string): Promise<void> {
    await this.workflows.updateMany(oid, { dedupeCollId: collectionId }, { $set: { dedupeCollId: null } });
  }

  /** Removes a deleted collection from all workflows. */
  async forgetCollection(oid: string, collectionId: string): Promise<void> {
    await this.forgetDedupeIndex(oid, collectionId);
    const pull = { $pull: { autoAddCollections: collectionId } };
    await this.workflows.updateMany(oid, { autoAddCollections: collectionId }, pull);
  }
}
