import { Str, Bool, Enum, Nested } from '../../common/validation/fields.js';
import { COLL_ACCESS_TYPES, type CollAccessType } from './coll-access-type.js';
import { CollectionThumbnailSource } from './collection-thumbnail-source.dto.js';

export class UpdateColl {
  @Str({ min: 1, max: 80, nullable: true, optional: true }) name?: string | null;
  @Str({ min: 1, max: 80, nullable: true, optional: true }) slug?: string | null;
  @Str({ max: 5000, nullable: true, optional: true }) description?: string | null;
  @Str({ max: 1000, nullable: true, optional: true }) caption?: string | null;
  @Enum('CollAccessType', COLL_ACCESS_TYPES, { nullable: true, optional: true }) access?: CollAccessType | null;
  @Str({ nullable: true, optional: true }) defaultThumbnailName?: string | null;
  @Bool({ nullable: true, optional: true }) allowPublicDownload?: boolean | null;
  @Nested(() => CollectionThumbnailSource, { nullable: true, optional: true })
  thumbnailSource?: CollectionThumbnailSource | null;
  @Bool({ nullable: true, optional: true }) hasDedupeIndex?: boolean | null;
}
