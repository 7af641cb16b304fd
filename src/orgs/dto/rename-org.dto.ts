import { Str } from '../../common/validation/fields.js';

export class RenameOrg {
  @Str({ min: 1, max: 50 }) name!: string;
  @Str({ nullable: true, optional: true }) slug?: string | null;
}
