import { Str, Bool, Enum, Nested, ListOf } from '../../common/validation/fields.js';
import { PublicUserFileOut } from '../../files/dto/files.dto.js';
import { COLL_ACCESS_TYPES } from '../data/collection.schema.js';
import { type CollAccessType, SharedCollOut } from './collections.dto.js';

/** A collection as anyone may see it. */
export class PublicCollOut extends SharedCollOut {
  @Str() orgName!: string;
  /** Whether the org has a public page. */
  @Bool() orgPublicProfile!: boolean;
  @Enum('CollAccessType', COLL_ACCESS_TYPES) override access: CollAccessType = 'public';
  /** The picture of the collection; null: none. */
  @Nested(() => PublicUserFileOut, { nullable: true }) thumbnail: PublicUserFileOut | null = null;
}

export class PublicOrgDetails {
  @Str() name!: string;
  /** What the org says of itself. */
  @Str() description = '';
  /** The org's own web site. */
  @Str() url = '';
}

export class OrgPublicCollections {
  @Nested(() => PublicOrgDetails) org!: PublicOrgDetails;
  @ListOf(() => PublicCollOut) collections: PublicCollOut[] = [];
}
