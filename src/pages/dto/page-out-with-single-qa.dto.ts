import { list, model, nullable } from '../../common/validation/composites.js';
import { dateTime, uuid } from '../../common/validation/formats.js';
import { bool, int, str } from '../../common/validation/scalars.js';
import { PageNote } from './page-note.dto.js';
import { PageQACompare } from './page-qa-compare.dto.js';
import { Field } from '../../common/validation/model.js';

export class PageOutWithSingleQA {
  @Field(uuid()) id!: string;
  @Field(uuid()) oid!: string;
  @Field(str()) crawl_id!: string;
  @Field(str()) url!: string;
  @Field(nullable(str()), { default: null }) title!: string | null;
  @Field(nullable(dateTime()), { default: null }) ts!: string | null;
  @Field(nullable(int()), { default: null }) loadState!: number | null;
  @Field(nullable(int()), { default: null }) status!: number | null;
  @Field(nullable(str()), { default: null }) mime!: string | null;
  @Field(nullable(str()), { default: null }) filename!: string | null;
  @Field(nullable(int()), { default: null }) depth!: number | null;
  @Field(nullable(str()), { default: null }) favIconUrl!: string | null;
  @Field(nullable(bool()), { default: false }) isSeed!: boolean | null;
  @Field(nullable(uuid()), { default: null }) userid!: string | null;
  @Field(nullable(dateTime()), { default: null }) modified!: string | null;
  @Field(nullable(bool()), { default: null }) approved!: boolean | null;
  @Field(list(model(() => PageNote)), { default: [] }) notes!: PageNote[];
  @Field(nullable(bool()), { default: false }) isFile!: boolean | null;
  @Field(nullable(bool()), { default: false }) isError!: boolean | null;
  @Field(nullable(model(() => PageQACompare)), { default: null }) qa!: PageQACompare | null;
}
