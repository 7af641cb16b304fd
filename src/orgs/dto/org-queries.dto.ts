import { PageQuery } from '../../common/pagination/page.js';
import { Str, Int, Bool, Uuid } from '../../common/validation/fields.js';

/** Path of every route under an org. */
export class OrgPath {
  @Uuid() oid!: string;
}

export class OrgListQuery extends PageQuery {
  /** name, slug, readOnly, lastCrawlFinished, subscriptionStatus, subscriptionPlan; empty = default org first only. */
  @Str() sortBy = 'name';
  /** 1 or -1. */
  @Int() sortDirection = 1;
}

export class OrgImportQuery {
  /** Accept an export of another database version. */
  @Bool() ignoreVersion = false;
  /** Default storage that the files were copied to; absent: as the export says. */
  @Str({ nullable: true, optional: true }) storageName?: string | null;
}
