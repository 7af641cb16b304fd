import { model, nullable } from '../../common/validation/composites.js';
import { email } from '../../common/validation/formats.js';
import { str } from '../../common/validation/scalars.js';
import { OrgQuotas } from './org-quotas.dto.js';
import { Field } from '../../common/validation/model.js';

export class OrgCreate {
  /** Absent or null: the id as text, until the first member joins (seed §4). */
  @Field(nullable(str({ min: 1, max: 50 })), { optional: true }) name?: string | null;
  @Field(nullable(str()), { optional: true }) slug?: string | null;
  @Field(nullable(str()), { optional: true }) planId?: string | null;
  @Field(nullable(model(() => OrgQuotas)), { optional: true }) quotas?: OrgQuotas | null;
  @Field(nullable(str()), { optional: true }) note?: string | null;
  /** Invited as owner when the org is made (seed §4). */
  @Field(nullable(email()), { optional: true }) firstAdminInviteEmail?: string | null;
}
