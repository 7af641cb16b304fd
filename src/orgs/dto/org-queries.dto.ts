import { PageQuery } from '../../common/pagination/page.js';
import { nullable } from '../../common/validation/composites.js';
import { uuid } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';
import { bool, int, str } from '../../common/validation/scalars.js';

/** Path of every route under an org. */
export class OrgPath {
  @Field(uuid()) oid!: string;
}

export class OrgListQuery extends PageQuery {
  /** name, slug, readOnly, lastCrawlFinished, subscriptionStatus, subscriptionPlan; empty = default org first only. */
  @Field(str(), { default: 'name' }) sortBy!: string;
  /** 1 or -1. */
  @Field(int(), { default: 1 }) sortDirection!: number;
}

export class OrgImportQuery {
  /** Accept an export of another database version. */
  @Field(bool(), { default: false }) ignoreVersion!: boolean;
  /** Default storage that the files were copied to; absent: as the export says. */
  @Field(nullable(str()), { optional: true }) storageName?: string | null;
}
