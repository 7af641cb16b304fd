import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { Tx } from '../../database/unit-of-work.js';
import { decode } from '../../database/uuid-codec.js';
import { Org } from './org.schema.js';

/** Reads of orgs that any room may use. */
@Injectable()
export class OrgsReads {
  constructor(@InjectModel(Org.name) protected readonly orgs: Model<Org>) {}

  async findById(oid: string, tx?: Tx): Promise<Org | null> {
    return decode((await this.orgs.findOne({ _id: oid }, null, { session: tx }).lean().exec()) as Org | null);
  }
}
