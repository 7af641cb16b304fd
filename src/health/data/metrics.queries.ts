import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter } from 'mongoose';
import { RUNNING, RUNNING_AND_WAITING, WAITING_NOT_PAUSED } from '../../items/data/item-state.facts.js';
import { Item } from '../../items/data/item.schema.js';
import { Job } from '../../jobs/data/job.schema.js';
import { Notification } from '../../webhooks/data/notification.schema.js';

const PLANNED_JOBS = { 'plan.dueAt': { $gt: new Date(0) } } as QueryFilter<Job>;

/** Counts current work across all orgs. Each count uses the index of the worker that claims the work. */
@Injectable()
export class MetricsQueries {
  constructor(
    @InjectModel(Item.name) private readonly items: Model<Item>,
    @InjectModel(Notification.name) private readonly notifications: Model<Notification>,
    @InjectModel(Job.name) private readonly jobs: Model<Job>,
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

  /** Number of undelivered notifications, and when the oldest was created. */
  async undelivered(): Promise<{ count: number; oldest: Date | null }> {
    const planned = { 'plan.dueAt': { $gt: new Date(0) } } as QueryFilter<Notification>;
    const [count, oldest] = await Promise.all([
      this.notifications.countDocuments(planned).exec(),
      this.notifications.findOne(planned, { created: 1 }).sort({ 'plan.dueAt': 1 }).lean().exec(),
    ]);
    return { count, oldest: (oldest as Notification | null)?.created ?? null };
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
