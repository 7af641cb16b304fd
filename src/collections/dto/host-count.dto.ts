import { int, str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class HostCount {
  @Field(str()) host!: string;
  @Field(int()) count!: number;
}
