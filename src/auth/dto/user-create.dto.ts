import { nullable } from '../../common/validation/composites.js';
import { email, uuid } from '../../common/validation/formats.js';
import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class UserCreate {
  @Field(email()) email!: string;
  @Field(str()) password!: string;
  @Field(nullable(str()), { default: '' }) name!: string | null;
  @Field(nullable(uuid()), { optional: true }) inviteToken?: string | null;
}
