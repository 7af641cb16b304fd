import { ApiSchema } from '@nestjs/swagger';
import { binary } from '../../common/openapi/returns.js';
import { anyOf, commaList } from '../../common/validation/composites.js';
import { Uuid, Str, Int, ListOf, Of, ItemId } from '../../common/validation/fields.js';
import { uuid, itemId } from '../../common/validation/formats.js';
import { shownAs } from '../../common/validation/kind.js';
import { str } from '../../common/validation/scalars.js';
import { SharedItemFilters } from '../../items/dto/item-queries.dto.js';

export class TusUploadPath {
  @Uuid() oid!: string;
  /** Id of the upload, from the `Location` of its beginning. */
  @Uuid() upload_id!: string;
}

export class UpdateUpload {
  @Str({ min: 1, max: 1000, nullable: true }) name!: string | null;
  @Str({ max: 5000, nullable: true, optional: true }) description?: string | null;
  @ListOf(str({ min: 1, max: 80 }), { nullable: true, optional: true }) tags?: string[] | null;
  @ListOf(uuid(), { nullable: true }) collectionIds: string[] | null = [];
  @Int({ min: 1, max: 5, strict: true, nullable: true, optional: true }) reviewStatus?: number | null;
}

/** Parts of an upload by form. They are streamed, never read whole. */
@ApiSchema({ name: 'Body_upload_formdata_api_orgs__oid__uploads_formdata_put' })
export class UploadForm {
  /** WACZ files; the item keeps them in this order. */
  @ListOf(binary()) uploads!: string[];
}

export class UploadsPath {
  @Uuid() oid!: string;
}

/** The same path with the parameter name that the contract uses here. */
export class UploadGetPath {
  /** Id of the upload. */
  @ItemId() crawlid!: string;
  @Uuid() oid!: string;
}

export class AnyUploadPath {
  @ItemId() crawl_id!: string;
}

/**
 * The description of an upload. Texts are URL-decoded once more. `collections` and `tags` may be comma-separated,
 * repeated, or both: `parseUploadInput` reads them all.
 */
export class UploadQuery {
  /** Name of the item; empty: that of the file. */
  @Str() name = '';
  @Str() description = '';
  /** Ids of collections to add the item to. */
  @Str({ nullable: true }) collections: string | null = '';
  /** Tags, comma-separated. */
  @Str({ nullable: true }) tags: string | null = '';
}

export class StreamUploadQuery extends UploadQuery {
  /** The last path segment gives the object's name and extension. */
  @Str() filename!: string;
  /** Id of the upload to replace; empty: none. */
  @Of(shownAs(anyOf(itemId(), str({ max: 0 })), str()), { nullable: true }) replaceId: string | null = '';
}

/** Filters of the list of uploads. */
export class UploadListQuery extends SharedItemFilters {
  /** Lists uploads with any of these. */
  @Of(commaList(), { nullable: true, optional: true }) state?: string[] | null;
  @Str() sortBy = 'finished';
}
