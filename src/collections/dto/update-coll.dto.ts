import { enumOf, model, nullable } from '../../common/validation/composites.js';
import { bool, str } from '../../common/validation/scalars.js';
import { COLL_ACCESS_TYPES, type CollAccessType } from './coll-access-type.js';
import { CollectionThumbnailSource } from './collection-thumbnail-source.dto.js';
import { Field } from '../../common/validation/model.js';

export class UpdateColl {
  @Field(nullable(str({ min: 1, max: 80 })), { optional: true }) name?: string | null;
  @Field(nullable(str({ min: 1, max: 80 })), { optional: true }) slug?: string | null;
  @Field(nullable(str({ max: 5000 })), { optional: true }) description?: string | null;
  @Field(nullable(str({ max: 1000 })), { optional: true }) caption?: string | null;
  @Field(nullable(enumOf('CollAccessType', COLL_ACCESS_TYPES)), { optional: true }) access?: CollAccessType | null;
  @Field(nullable(str()), { optional: true }) defaultThumbnailName?: string | null;
  @Field(nullable(bool()), { optional: true }) allowPublicDownload?: boolean | null;
  @Field(nullable(model(() => CollectionThumbnailSource)), { optional: true })
  thumbnailSource?: CollectionThumbnailSource | null;
  @Field(nullable(bool()), { optional: true }) hasDedupeIndex?: boolean | null;
}
