import { Str, Bool, Enum, ListOf } from '../../common/validation/fields.js';
import { itemId } from '../../common/validation/formats.js';
import { COLL_ACCESS_TYPES, type CollAccessType } from './coll-access-type.js';

export class CollIn {
  @Str({ min: 1, max: 80 }) name!: string;
  @Str({ min: 1, max: 80, nullable: true, optional: true }) slug?: string | null;
  @Str({ max: 5000, nullable: true, optional: true }) description?: string | null;
  @Str({ max: 1000, nullable: true, optional: true }) caption?: string | null;
  @ListOf(itemId(), { nullable: true }) crawlIds: string[] | null = [];
  @Enum('CollAccessType', COLL_ACCESS_TYPES) access: CollAccessType = 'private';
  @Str({ nullable: true, optional: true }) defaultThumbnailName?: string | null;
  @Bool() allowPublicDownload = true;
  @Bool() hasDedupeIndex = false;
}
