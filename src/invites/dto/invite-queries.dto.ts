import { email, uuid } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';

export class InviteTokenPath {
  @Field(uuid()) token!: string;
}

export class InviteEmailQuery {
  /** Address the invite was sent to. */
  @Field(email()) email!: string;
}
