import { nullable } from '../../common/validation/composites.js';
import { email } from '../../common/validation/formats.js';
import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class UserUpdateEmailName {
  @Field(nullable(email()), { optional: true }) email?: string | null;
  @Field(nullable(str()), { optional: true }) name?: string | null;
}
