import { Str, Email, Nested } from '../../common/validation/fields.js';
import { OrgQuotas } from './org-quotas.dto.js';

export class OrgCreate {
  /** Absent or null: the id as text, until the first member joins (seed §4). */
  @Str({ min: 1, max: 50, nullable: true, optional: true }) name?: string | null;
  @Str({ nullable: true, optional: true }) slug?: string | null;
  @Str({ nullable: true, optional: true }) planId?: string | null;
  @Nested(() => OrgQuotas, { nullable: true, optional: true }) quotas?: OrgQuotas | null;
  @Str({ nullable: true, optional: true }) note?: string | null;
  /** Invited as owner when the org is made (seed §4). */
  @Email({ nullable: true, optional: true }) firstAdminInviteEmail?: string | null;
}
