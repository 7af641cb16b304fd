import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, PipelineStage } from 'mongoose';
import { seconds } from '../../common/units/durations.js';
import { isDuplicateKey } from '../../database/org-scoped.js';
import { MAIL_COUNT_SECONDS, MailCount } from './mail-counts.schema.js';

/** Counts mails for all processes of the service. */
@Injectable()
export class MailCounts {
  constructor(@InjectModel(MailCount.name) private readonly counts: Model<MailCount>) {}

  /** Counts a mail in one atomic step. @returns the number of mails in the current hour, including this one */
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
      // Another first mail was inserted at the same time, so its document is found now.
      if (!isDuplicateKey(error)) throw error;
      return attempt();
    }
  }
}
