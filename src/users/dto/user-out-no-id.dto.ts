import { anyOf } from '../../common/validation/composites.js';
import { Str, Bool, Email, ListOf } from '../../common/validation/fields.js';
import { UserOrgInfoOutWithSubs } from './user-org-info-out-with-subs.dto.js';
import { UserOrgInfoOut } from './user-org-info-out.dto.js';

export class UserOutNoId {
  @Str() name = '';
  @Email() email!: string;
  @ListOf(
    anyOf(
      () => UserOrgInfoOut,
      () => UserOrgInfoOutWithSubs,
    ),
  )
  orgs!: (UserOrgInfoOut | UserOrgInfoOutWithSubs)[];
  @Bool() is_verified = false;
}
