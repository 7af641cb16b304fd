import { Str, Bool } from '../../common/validation/fields.js';

/** What an org says of itself. The service stores, shows and changes each field by these two declarations. */
export class OrgPublicProfile {
  @Bool() enablePublicProfile = false;
  @Str({ max: 400, nullable: true }) publicDescription: string | null = '';
  @Str() publicUrl = '';
}

export class OrgPublicProfileUpdate {
  @Bool({ nullable: true, optional: true }) enablePublicProfile?: boolean | null;
  @Str({ max: 400, nullable: true, optional: true }) publicDescription?: string | null;
  @Str({ nullable: true, optional: true }) publicUrl?: string | null;
}
