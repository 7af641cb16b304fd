import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, QueryFilter, UpdateQuery } from 'mongoose';
import { Org } from './org.schema.js';

const LOWER = { $toLower: '$name' };

/** The name that lists are ordered by, of orgs that were written by another version. */
@Injectable()
export class OrgNameOrderRepository {
  constructor(@InjectModel(Org.name) private readonly orgs: Model<Org>) {}

  /** Sets it where it is missing or of an earlier name, in one pass over the orgs. @returns how many there were */
  async fill(): Promise<number> {
    const stale = { $expr: { $ne: ['$nameLower', LOWER] } } as QueryFilter<Org>;
    const update = [{ $set: { nameLower: LOWER } }] as unknown as UpdateQuery<Org>;
    return (await this.orgs.updateMany(stale, update, { updatePipeline: true }).exec()).modifiedCount;
  }
}
