import { fromOne, PageQuery } from '../../common/pagination/page.js';
import { Of, Str, Int, Bool, Uuid, DateTime, HttpUrlText } from '../../common/validation/fields.js';
import { CollectionPagesQuery } from '../../pages/dto/page-queries.dto.js';

export class CollectionOrgPath {
  @Uuid() oid!: string;
}

export class CollectionPath {
  /** Id of the collection. */
  @Uuid() coll_id!: string;
  @Uuid() oid!: string;
}

export class CollectionsQuery extends PageQuery {
  @Str({ nullable: true, optional: true }) sortBy?: string | null;
  @Int() sortDirection = 1;
  /** Whole name, whatever the case and accents. */
  @Str({ nullable: true, optional: true }) name?: string | null;
  /** Start of the name, whatever the case. */
  @Str({ nullable: true, optional: true }) namePrefix?: string | null;
  /** Only collections with (true) or without (false) an index. */
  @Bool({ nullable: true, optional: true }) hasDedupeIndex?: boolean | null;
  /** `private`, `unlisted` or `public`; anything else matches nothing. */
  @Str({ nullable: true, optional: true }) access?: string | null;
}

export class PublicOrgPath {
  /** Name of the org in URLs, present or former. */
  @Str() org_slug!: string;
}

export class PublicCollectionPath extends PublicOrgPath {
  /** Name of the collection in URLs, present or former. */
  @Str() coll_slug!: string;
}

export class PublicCollectionsQuery extends PageQuery {
  @Str({ nullable: true, optional: true }) sortBy?: string | null;
  @Int() sortDirection = 1;
}

/** An image that was taken from no page. */
export class ThumbnailUploadQuery {
  /** Name of the image's file, as people know it. */
  @Str() filename!: string;
}

/** The page that a thumbnail was taken from. */
export class ThumbnailQuery {
  /** Name of the picture on the caller's disk. */
  @Str() filename!: string;
  /** Address of the page that the picture shows. */
  @HttpUrlText({ nullable: true }) sourceUrl!: string | null;
  /** Time of the capture that the picture shows. */
  @DateTime({ nullable: true }) sourceTs!: Date | null;
  /** Id of the page that the picture shows. */
  @Uuid({ nullable: true }) sourcePageId!: string | null;
}

export class PageUrlCountsQuery {
  /** Addresses from this one on, in order. */
  @Str({ nullable: true, optional: true }) urlPrefix?: string | null;
  /** Largest number of addresses. */
  @Of(fromOne()) pageSize = 1000;
}

/** Query of a collection's pages. `urlPrefix` does more than in the reference. */
export class CollectionPagesListQuery extends CollectionPagesQuery {
  /** Addresses from this one on, in order. */
  @Str({ nullable: true, optional: true }) urlPrefix?: string | null;
}
