import { Uuid, Email } from '../../common/validation/fields.js';

export class InviteTokenPath {
  @Uuid() token!: string;
}

export class InviteEmailQuery {
  /** Address the invite was sent to. */
  @Email() email!: string;
}
