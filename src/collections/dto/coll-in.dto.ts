import { enumOf, list, nullable } from '../../common/validation/composites.js';
import { bool, str } from '../../common/validation/scalars.js';
import { COLL_ACCESS_TYPES, type CollAccessType } from './coll-access-type.js';
import { itemId } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';

export class CollIn {
  @Field(str({ min: 1, max: 80 })) name!: string;
  @Field(nullable(str({ min: 1, max: 80 })), { optional: true }) slug?: string | null;
  @Field(nullable(str({ max: 5000 })), { optional: true }) description?: string | null;
  @Field(nullable(str({ max: 1000 })), { optional: true }) caption?: string | null;
  @Field(nullable(list(itemId())), { default: [] }) crawlIds!: string[] | null;
  @Field(enumOf('CollAccessType', COLL_ACCESS_TYPES), { default: 'private' }) access!: CollAccessType;
  @Field(nullable(str()), { optional: true }) defaultThumbnailName?: string | null;
  @Field(bool(), { default: true }) allowPublicDownload!: boolean;
  @Field(bool(), { default: false }) hasDedupeIndex!: boolean;
}
