import { Str, Int } from '../../common/validation/fields.js';

export class TagCount {
  @Str() tag!: string;
  @Int() count!: number;
}
