import { Str, Nested } from '../../common/validation/fields.js';
import { UserOut } from '../../users/dto/user-out.dto.js';

export class BearerResponse {
  @Str() access_token!: string;
  @Str() token_type!: string;
  @Nested(() => UserOut) user_info!: UserOut;
}
