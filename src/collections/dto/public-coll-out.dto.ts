import { Str, Bool, Enum, Nested } from '../../common/validation/fields.js';
import { PublicUserFileOut } from '../../files/dto/public-user-file-out.dto.js';
import { COLL_ACCESS_TYPES, type CollAccessType } from './coll-access-type.js';
import { SharedCollOut } from './shared-coll-out.dto.js';

/** A collection as anyone may see it. */
export class PublicCollOut extends SharedCollOut {
  @Str() orgName!: string;
  @Bool() orgPublicProfile!: boolean;
  @Enum('CollAccessType', COLL_ACCESS_TYPES) override access: CollAccessType = 'public';
  @Nested(() => PublicUserFileOut, { nullable: true }) thumbnail: PublicUserFileOut | null = null;
}
