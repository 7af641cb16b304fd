import { enumOf, model, nullable } from '../../common/validation/composites.js';
import { uuid } from '../../common/validation/formats.js';
import { bool, str } from '../../common/validation/scalars.js';
import { Subscription } from './subscription.dto.js';
import { USER_ROLES, type UserRole } from './user-role.js';
import { Field } from '../../common/validation/model.js';

export class UserOrgInfoOutWithSubs {
  @Field(uuid()) id!: string;
  @Field(str()) name!: string;
  @Field(str()) slug!: string;
  @Field(bool()) default!: boolean;
  @Field(enumOf('UserRole', USER_ROLES)) role!: UserRole;
  @Field(bool()) readOnly!: boolean;
  @Field(nullable(str()), { default: null }) readOnlyReason!: string | null;
  @Field(nullable(model(() => Subscription)), { default: null }) subscription!: Subscription | null;
}
