import { list, model, oneOf } from '../../common/validation/composites.js';
import { email } from '../../common/validation/formats.js';
import { bool, str } from '../../common/validation/scalars.js';
import { UserOrgInfoOutWithSubs } from './user-org-info-out-with-subs.dto.js';
import { UserOrgInfoOut } from './user-org-info-out.dto.js';
import { Field } from '../../common/validation/model.js';

export class UserOutNoId {
  @Field(str(), { default: '' }) name!: string;
  @Field(email()) email!: string;
  @Field(
    list(
      oneOf(
        model(() => UserOrgInfoOut),
        model(() => UserOrgInfoOutWithSubs),
      ),
    ),
  )
  orgs!: (UserOrgInfoOut | UserOrgInfoOutWithSubs)[];
  @Field(bool(), { default: false }) is_verified!: boolean;
}
