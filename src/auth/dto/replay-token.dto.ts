import { Str, Uuid, ItemId, TimeText, OneOf } from '../../common/validation/fields.js';

/** What is to be replayed. */
export class ReplayTokenIn {
  @Uuid() oid!: string;
  @OneOf(['item', 'collection']) kind!: 'item' | 'collection';
  /** Id of the item or collection. */
  @ItemId() id!: string;
}

export class ReplayTokenOut {
  @Str() token!: string;
  @TimeText() expiresAt!: string;
}
