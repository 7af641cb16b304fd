import { enumOf, nullable } from '../../common/validation/composites.js';
import { dateTime, email, uuid } from '../../common/validation/formats.js';
import { bool, str } from '../../common/validation/scalars.js';
import { USER_ROLES, type UserRole } from '../../users/dto/user-role.js';
import { Field } from '../../common/validation/model.js';

export class InviteOut {
  @Field(dateTime()) created!: string;
  @Field(nullable(email()), { default: null }) inviterEmail!: string | null;
  @Field(nullable(str()), { default: null }) inviterName!: string | null;
  @Field(bool()) fromSuperuser!: boolean;
  @Field(nullable(uuid()), { default: null }) oid!: string | null;
  @Field(nullable(str()), { default: null }) orgName!: string | null;
  @Field(nullable(str()), { default: null }) orgSlug!: string | null;
  @Field(enumOf('UserRole', USER_ROLES), { default: 10 }) role!: UserRole;
  @Field(nullable(email()), { default: null }) email!: string | null;
  @Field(bool(), { default: false }) firstOrgAdmin!: boolean;
  /** Why the mail of the invite did not go out; absent when nothing is wrong. */
  @Field(str(), { optional: true }) mailError?: string;
}
