import { nullable } from '../../common/validation/composites.js';
import { dateTime, uuid } from '../../common/validation/formats.js';
import { anyObject, str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class CrawlLogLine {
  @Field(uuid()) id!: string;
  @Field(str()) crawlId!: string;
  @Field(uuid()) oid!: string;
  @Field(nullable(str()), { default: null }) qaRunId!: string | null;
  @Field(dateTime()) timestamp!: string;
  @Field(str()) logLevel!: string;
  @Field(str()) context!: string;
  @Field(str()) message!: string;
  @Field(nullable(anyObject()), { default: null }) details!: Record<string, unknown> | null;
}
