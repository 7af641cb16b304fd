import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { isDuplicateKey } from '../../database/org-scoped.js';
import { FailedJobDigest } from './failed-job-digest.schema.js';
import type { Job } from './job.schema.js';

const ID = 'superuser';
/** Number of job ids that a mail names. The list of jobs has them all. */
const NAMED = 20;

/** Collects the failed jobs of all processes. */
@Injectable()
export class FailedJobDigests {
  constructor(@InjectModel(FailedJobDigest.name) private readonly digests: Model<FailedJobDigest>) {}

  /** Adds a failed job. @returns whether it is the first; the superuser then gets a mail for it alone */
  async add({ _id, type }: Pick<Job, '_id' | 'type'>, now: Date): Promise<boolean> {
    const added = async (): Promise<number> => {
      const update = {
        $setOnInsert: { since: now },
        $inc: { count: 1, [`types.${type}`]: 1 },
        $push: { jobIds: { $each: [_id], $slice: -NAMED } },
      };
      const options = { upsert: true, returnDocument: 'after' } as const;
      return (await this.digests.findOneAndUpdate({ _id: ID }, update, options).lean().exec()).count;
    };
    try {
      return (await added()) === 1;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return (await added()) === 1;
    }
  }

  /** Takes what was collected, if that began at or before this moment. Only one caller gets it. */
  async takeBegunBy(moment: Date): Promise<FailedJobDigest | null> {
    return this.digests
      .findOneAndDelete({ _id: ID, since: { $lte: moment } })
      .lean()
      .exec();
  }
}
