import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, PipelineStage } from 'mongoose';
import { aggregateRows } from '../../database/read-rows.js';
import { uuid } from '../../database/uuid-codec.js';
import { Org } from '../../orgs/data/org.schema.js';
import { User } from '../../users/data/user.schema.js';

export interface FoundCaller {
  readonly user: User | null;
  /** Null for an unknown org. */
  readonly org: Org | null;
}

/** The read with which nearly every request begins. */
@Injectable()
export class CallersQueries {
  constructor(
    @InjectModel(User.name) private readonly users: Model<User>,
    @InjectModel(Org.name) private readonly orgs: Model<Org>,
  ) {}

  /** Reads a user and an org, related or not, in one trip to the database instead of two. */
  async userAndOrg(userId: string, oid: string): Promise<FoundCaller> {
    const stages: PipelineStage[] = [
      { $match: { id: uuid(userId) } },
      { $replaceWith: { user: '$$ROOT' } },
      {
        $unionWith: {
          coll: this.orgs.collection.name,
          pipeline: [{ $match: { _id: uuid(oid) } }, { $replaceWith: { org: '$$ROOT' } }],
        },
      },
    ];
    const found = await aggregateRows<Partial<FoundCaller>, User>(this.users, stages, { atMost: 2 });
    return { user: null, org: null, ...(Object.assign({}, ...found) as Partial<FoundCaller>) };
  }
}
