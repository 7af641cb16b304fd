import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class PublicOrgDetails {
  @Field(str()) name!: string;
  @Field(str(), { default: '' }) description!: string;
  @Field(str(), { default: '' }) url!: string;
}
