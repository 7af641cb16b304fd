import { dateTime, uuid } from '../../common/validation/formats.js';
import { int, str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class UserFileOut {
  @Field(str()) name!: string;
  @Field(str()) path!: string;
  @Field(str()) hash!: string;
  @Field(int()) size!: number;
  @Field(str()) mime!: string;
  @Field(str()) originalFilename!: string;
  @Field(uuid()) userid!: string;
  @Field(str()) userName!: string;
  @Field(dateTime()) created!: string;
}
