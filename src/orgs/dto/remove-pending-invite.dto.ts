import { Email } from '../../common/validation/fields.js';

export class RemovePendingInvite {
  @Email() email!: string;
}
