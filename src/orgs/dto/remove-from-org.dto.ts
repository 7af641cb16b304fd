import { Email } from '../../common/validation/fields.js';

export class RemoveFromOrg {
  @Email() email!: string;
}
