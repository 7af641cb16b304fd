import { Str } from '../../common/validation/fields.js';

export class UpdateOrgNote {
  @Str({ nullable: true, optional: true }) note?: string | null;
}
