import { list, model, nullable } from '../../common/validation/composites.js';
import { dateTime, uuid } from '../../common/validation/formats.js';
import { bool, str } from '../../common/validation/scalars.js';
import { ProfileFile } from './profile-file.dto.js';
import { Field } from '../../common/validation/model.js';

export class Profile {
  @Field(uuid()) id!: string;
  @Field(str()) name!: string;
  @Field(nullable(str()), { default: '' }) description!: string | null;
  @Field(uuid()) userid!: string;
  @Field(uuid()) oid!: string;
  @Field(list(str())) origins!: string[];
  @Field(nullable(model(() => ProfileFile)), { default: null }) resource!: ProfileFile | null;
  @Field(nullable(dateTime()), { default: null }) created!: string | null;
  @Field(nullable(uuid()), { default: null }) createdBy!: string | null;
  @Field(nullable(str()), { default: null }) createdByName!: string | null;
  @Field(nullable(dateTime()), { default: null }) modified!: string | null;
  @Field(nullable(uuid()), { default: null }) modifiedBy!: string | null;
  @Field(nullable(str()), { default: null }) modifiedByName!: string | null;
  @Field(nullable(dateTime()), { default: null }) modifiedCrawlDate!: string | null;
  @Field(nullable(str()), { default: null }) modifiedCrawlId!: string | null;
  @Field(nullable(uuid()), { default: null }) modifiedCrawlCid!: string | null;
  @Field(nullable(uuid()), { default: null }) baseid!: string | null;
  @Field(nullable(str()), { default: null }) crawlerChannel!: string | null;
  @Field(nullable(str()), { default: null }) proxyId!: string | null;
  @Field(bool(), { default: false }) inUse!: boolean;
  @Field(nullable(list(str())), { default: [] }) tags!: string[] | null;
}
