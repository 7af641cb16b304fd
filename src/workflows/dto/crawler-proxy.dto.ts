import { bool, str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class CrawlerProxy {
  @Field(str()) id!: string;
  @Field(str()) url!: string;
  @Field(str()) label!: string;
  @Field(str(), { default: '' }) description!: string;
  @Field(str(), { default: '' }) country_code!: string;
  @Field(bool(), { default: false }) has_host_public_key!: boolean;
  @Field(bool(), { default: false }) has_private_key!: boolean;
  @Field(bool(), { default: false }) shared!: boolean;
}
