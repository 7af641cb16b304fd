import { int, str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class PublicUserFileOut {
  @Field(str()) name!: string;
  @Field(str()) path!: string;
  @Field(str()) hash!: string;
  @Field(int()) size!: number;
  @Field(str()) mime!: string;
}
