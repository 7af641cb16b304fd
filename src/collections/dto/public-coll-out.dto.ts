import { enumOf, model, nullable } from '../../common/validation/composites.js';
import { Field } from '../../common/validation/model.js';
import { bool, str } from '../../common/validation/scalars.js';
import { PublicUserFileOut } from '../../files/dto/public-user-file-out.dto.js';
import { COLL_ACCESS_TYPES, type CollAccessType } from './coll-access-type.js';
import { SharedCollOut } from './shared-coll-out.dto.js';

/** A collection as anyone may see it. */
export class PublicCollOut extends SharedCollOut {
  @Field(str()) orgName!: string;
  @Field(bool()) orgPublicProfile!: boolean;
  @Field(enumOf('CollAccessType', COLL_ACCESS_TYPES), { default: 'public' }) override access!: CollAccessType;
  @Field(nullable(model(() => PublicUserFileOut)), { default: null }) thumbnail!: PublicUserFileOut | null;
}
