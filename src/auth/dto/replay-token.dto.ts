import { literal } from '../../common/validation/composites.js';
import { dateTime, itemId, uuid } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';
import { str } from '../../common/validation/scalars.js';

/** What is to be replayed. */
export class ReplayTokenIn {
  @Field(uuid()) oid!: string;
  @Field(literal('item', 'collection')) kind!: 'item' | 'collection';
  /** Id of the item or collection. */
  @Field(itemId()) id!: string;
}

export class ReplayTokenOut {
  @Field(str()) token!: string;
  @Field(dateTime()) expiresAt!: string;
}
