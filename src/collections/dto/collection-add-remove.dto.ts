import { ListOf } from '../../common/validation/fields.js';
import { uuid, itemId } from '../../common/validation/formats.js';

export class CollectionAddRemove {
  @ListOf(itemId()) crawlIds: string[] = [];
  @ListOf(uuid()) crawlconfigIds: string[] = [];
}
