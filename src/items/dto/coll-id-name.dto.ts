import { Str, Uuid } from '../../common/validation/fields.js';

export class CollIdName {
  @Uuid() id!: string;
  @Str() name!: string;
}
