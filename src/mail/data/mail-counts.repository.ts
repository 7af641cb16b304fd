import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, PipelineStage } from 'mongoose';
import { seconds } from '../../common/units/durations.js';
import { isDuplicateKey } from '../../database/org-scoped.js';
import { MAIL_COUNT_SECONDS, MailCount } from './mail-counts.schema.js';

/** Counters of mails, which all processes of the service share. */
@Injectable()
export class MailCounts {
  constructor(@InjectModel(MailCount.name) private readonly counts: Model<MailCount>) {}

  /** Counts a mail in one atomic step. @returns how many of the current hour there are, this one included */
  async take(kind: string, address: string, now: Date): Promise<number> {
    const begun = { $gt: ['$since', new Date(now.getTime() - seconds(MAIL_COUNT_SECONDS))] };
    const update: PipelineStage[] = [
      {
        $set: {
          count: { $cond: [begun, { $add: ['$count', 1] }, 1] },
          since: { $cond: [begun, '$since', now] },
        },
      },
    ];
    const attempt = async (): Promise<number> => {
      const options = { upsert: true, returnDocument: 'after', updatePipeline: true } as const;
      const key = { _id: `${kind}:${address.toLowerCase()}` };
      const doc = await this.counts
        .findOneAndUpdate(key, update as never, options)
        .lean()
        .exec();
      return doc.count;
    };
    try {
      return await attempt();
    } catch (error) {
      // Two first mails met: the other one inserted, so this one now finds its document.
      if (!isDuplicateKey(error)) throw error;
      return attempt();
    }
  }
}
