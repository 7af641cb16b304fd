import { model } from '../../common/validation/composites.js';
import { str } from '../../common/validation/scalars.js';
import { UserOut } from '../../users/dto/user-out.dto.js';
import { Field } from '../../common/validation/model.js';

export class BearerResponse {
  @Field(str()) access_token!: string;
  @Field(str()) token_type!: string;
  @Field(model(() => UserOut)) user_info!: UserOut;
}
