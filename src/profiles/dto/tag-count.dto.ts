import { int, str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class TagCount {
  @Field(str()) tag!: string;
  @Field(int()) count!: number;
}
