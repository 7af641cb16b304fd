import { fromOne, PageQuery } from '../../common/pagination/page.js';
import { nullable } from '../../common/validation/composites.js';
import { dateTime, httpUrlText, uuid } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';
import { CollectionPagesQuery } from '../../pages/dto/page-list-queries.dto.js';
import { bool, int, str } from '../../common/validation/scalars.js';

export class CollectionOrgPath {
  @Field(uuid()) oid!: string;
}

export class CollectionPath {
  @Field(uuid()) coll_id!: string;
  @Field(uuid()) oid!: string;
}

export class CollectionsQuery extends PageQuery {
  @Field(nullable(str()), { optional: true }) sortBy?: string | null;
  @Field(int(), { default: 1 }) sortDirection!: number;
  /** Exact, whatever the case and accents. */
  @Field(nullable(str()), { optional: true }) name?: string | null;
  /** Start of the name, whatever the case. */
  @Field(nullable(str()), { optional: true }) namePrefix?: string | null;
  @Field(nullable(bool()), { optional: true }) hasDedupeIndex?: boolean | null;
  /** `private`, `unlisted` or `public`; anything else matches nothing. */
  @Field(nullable(str()), { optional: true }) access?: string | null;
}

export class PublicOrgPath {
  @Field(str()) org_slug!: string;
}

export class PublicCollectionPath extends PublicOrgPath {
  @Field(str()) coll_slug!: string;
}

export class PublicCollectionsQuery extends PageQuery {
  @Field(nullable(str()), { optional: true }) sortBy?: string | null;
  @Field(int(), { default: 1 }) sortDirection!: number;
}

/** The page that a thumbnail was taken from. */
export class ThumbnailQuery {
  @Field(str()) filename!: string;
  @Field(nullable(httpUrlText())) sourceUrl!: string | null;
  @Field(nullable(dateTime())) sourceTs!: Date | null;
  @Field(nullable(uuid())) sourcePageId!: string | null;
}

export class PageUrlCountsQuery {
  /** Lower bound of the addresses, in order. */
  @Field(nullable(str()), { optional: true }) urlPrefix?: string | null;
  /** Most addresses. */
  @Field(fromOne(), { default: 1000 }) pageSize!: number;
}

/** Lists of a collection's pages; `urlPrefix` is a superset of the reference. */
export class CollectionPagesListQuery extends CollectionPagesQuery {
  /** Lower bound of the addresses, in order. */
  @Field(nullable(str()), { optional: true }) urlPrefix?: string | null;
}
