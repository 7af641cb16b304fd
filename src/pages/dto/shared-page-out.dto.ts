import { list, model, nullable } from '../../common/validation/composites.js';
import { dateTime, uuid } from '../../common/validation/formats.js';
import { bool, int, str } from '../../common/validation/scalars.js';
import { PageNote } from './page-note.dto.js';
import { Field } from '../../common/validation/model.js';

/** What every answer says of a page; its status is null only where QA is shown. Contract: archive §6. */
export class SharedPageOut {
  @Field(uuid()) id!: string;
  @Field(uuid()) oid!: string;
  /** Item, crawl or upload. */
  @Field(str()) crawl_id!: string;
  @Field(str()) url!: string;
  @Field(nullable(str()), { default: null }) title!: string | null;
  /** When it was loaded. */
  @Field(nullable(dateTime()), { default: null }) ts!: string | null;
  /** 0 failed, 1 content loaded, 2 loaded, 3 extracted, 4 behaviors done. */
  @Field(nullable(int()), { default: null }) loadState!: number | null;
  @Field(nullable(str()), { default: null }) mime!: string | null;
  /** Name of the WACZ that holds it. */
  @Field(nullable(str()), { default: null }) filename!: string | null;
  /** Links from a seed; 0: a seed. */
  @Field(nullable(int()), { default: null }) depth!: number | null;
  @Field(nullable(str()), { default: null }) favIconUrl!: string | null;
  @Field(nullable(bool()), { default: false }) isSeed!: boolean | null;
  /** Who approved or rejected it. */
  @Field(nullable(uuid()), { default: null }) userid!: string | null;
  /** When its review or its notes changed. */
  @Field(nullable(dateTime()), { default: null }) modified!: string | null;
  @Field(nullable(bool()), { default: null }) approved!: boolean | null;
  @Field(list(model(() => PageNote)), { default: [] }) notes!: PageNote[];
  /** Not a page of HTML: a PDF, a picture. */
  @Field(nullable(bool()), { default: false }) isFile!: boolean | null;
  /** It could not be loaded. */
  @Field(nullable(bool()), { default: false }) isError!: boolean | null;
}
