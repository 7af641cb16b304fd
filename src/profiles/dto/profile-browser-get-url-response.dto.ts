import { uuid } from '../../common/validation/formats.js';
import { num, str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class ProfileBrowserGetUrlResponse {
  @Field(str()) path!: string;
  @Field(str()) password!: string;
  @Field(uuid()) oid!: string;
  @Field(str()) auth_bearer!: string;
  @Field(num()) scale!: number;
  @Field(str()) url!: string;
}
