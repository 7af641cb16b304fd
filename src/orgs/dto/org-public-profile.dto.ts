import { nullable } from '../../common/validation/composites.js';
import { bool, str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

/** What an org says of itself. The service stores, shows and changes each field by these two declarations. */
export class OrgPublicProfile {
  @Field(bool(), { default: false }) enablePublicProfile!: boolean;
  @Field(nullable(str({ max: 400 })), { default: '' }) publicDescription!: string | null;
  @Field(str(), { default: '' }) publicUrl!: string;
}

export class OrgPublicProfileUpdate {
  @Field(nullable(bool()), { optional: true }) enablePublicProfile?: boolean | null;
  @Field(nullable(str({ max: 400 })), { optional: true }) publicDescription?: string | null;
  @Field(nullable(str()), { optional: true }) publicUrl?: string | null;
}
