import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { RUNNING, RUNNING_AND_WAITING, WAITING_NOT_PAUSED } from '../../items/data/item-state.facts.js';
import { Item } from '../../items/data/item.schema.js';
import { Job } from '../../jobs/data/job.schema.js';
import { Org } from '../../orgs/data/org.schema.js';
import { Notification } from '../../webhooks/data/notification.schema.js';

const PLANNED = { 'plan.dueAt': { $gt: new Date(0) } };
const PLANNED_JOBS = PLANNED as QueryFilter<Job>;
const UNDELIVERED = PLANNED as QueryFilter<Notification>;

/** Counts current work across all orgs. Each count uses the index of the worker that claims the work. */
@Injectable()
export class MetricsQueries {
  constructor(
    @InjectModel(Item.name) private readonly items: Model<Item>,
    @InjectModel(Notification.name) private readonly notifications: Model<Notification>,
    @InjectModel(Job.name) private readonly jobs: Model<Job>,
    @InjectModel(Org.name) private readonly orgs: Model<Org>,
  ) {}

  /** Active crawls by state; states without crawls are 0. */
  async activeCrawls(): Promise<Map<string, number>> {
    const counts = await Promise.all(
      RUNNING_AND_WAITING.map(async (state) => {
        const filter = { state, type: 'crawl' } as QueryFilter<Item>;
        return [state, await this.items.countDocuments(filter).exec()] as const;
      }),
    );
    return new Map(counts);
  }

  /** Number of browser windows of the running crawls. */
  async windowsInUse(): Promise<number> {
    const running = { $match: { state: { $in: [...RUNNING] }, type: 'crawl' } };
    const sum = { $group: { _id: null, windows: { $sum: '$browserWindows' } } };
    const [found] = await this.items.aggregate<{ windows: number }>([running, sum]).exec();
    return found?.windows ?? 0;
  }

  /** Start of the crawl that has waited longest for its turn or for room; null when none waits. */
  async longestWaitingSince(): Promise<Date | null> {
    const waiting = { $match: { state: { $in: [...WAITING_NOT_PAUSED] }, type: 'crawl' } };
    const first = { $group: { _id: null, started: { $min: '$started' } } };
    const [found] = await this.items.aggregate<{ started: Date | null }>([waiting, first]).exec();
    return found?.started ?? null;
  }

  async undelivered(): Promise<number> {
    return this.notifications.countDocuments(UNDELIVERED).exec();
  }

  /** When the notification was created that is next to be sent; null when there is none. */
  async oldestUndelivered(): Promise<Date | null> {
    const next = this.notifications.findOne(UNDELIVERED, { created: 1 }).sort({ 'plan.dueAt': 1 });
    return ((await next.lean().exec()) as Notification | null)?.created ?? null;
  }

  /** Bytes that all orgs store. */
  async storedBytes(): Promise<number> {
    const sum = { $group: { _id: null, bytes: { $sum: '$bytesStored' } } };
    const [found] = await this.orgs.aggregate<{ bytes: number }>([sum]).exec();
    return Number(found?.bytes ?? 0);
  }

  /** Orgs with a storage quota of which they have used more than this part. */
  async orgsAbove(part: number): Promise<number> {
    const used = { $gte: ['$bytesStored', { $multiply: ['$quotas.storageQuota', part] }] };
    const filter = { 'quotas.storageQuota': { $gt: 0 }, $expr: used } as QueryFilter<Org>;
    return this.orgs.countDocuments(filter).exec();
  }

  /** Jobs that are due, running or waiting for another try. */
  async queuedJobs(): Promise<number> {
    return this.jobs.countDocuments(PLANNED_JOBS).exec();
  }

  /** When the most overdue job was due; in the future when none is due, null when none is planned. */
  async jobDueSince(): Promise<Date | null> {
    const next = (await this.jobs
      .findOne(PLANNED_JOBS, { 'plan.dueAt': 1 })
      .sort({ 'plan.dueAt': 1 })
      .lean()
      .exec()) as Job | null;
    return next?.plan?.dueAt ?? null;
  }
}
