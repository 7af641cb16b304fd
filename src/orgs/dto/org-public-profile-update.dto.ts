import { nullable } from '../../common/validation/composites.js';
import { bool, str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class OrgPublicProfileUpdate {
  @Field(nullable(bool()), { optional: true }) enablePublicProfile?: boolean | null;
  @Field(nullable(str({ max: 400 })), { optional: true }) publicDescription?: string | null;
  @Field(nullable(str()), { optional: true }) publicUrl?: string | null;
}
