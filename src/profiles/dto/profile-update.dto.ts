import { Str, ListOf } from '../../common/validation/fields.js';
import { str } from '../../common/validation/scalars.js';

export class ProfileUpdate {
  @Str() browserid = '';
  @Str({ min: 1, max: 1000 }) name!: string;
  @Str({ max: 5000, nullable: true }) description: string | null = '';
  @ListOf(str({ min: 1, max: 80 }), { nullable: true }) tags: string[] | null = [];
}
