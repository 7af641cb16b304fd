import { Bool, Uuid } from '../../common/validation/fields.js';
import { UserOutNoId } from './user-out-no-id.dto.js';

export class UserOut extends UserOutNoId {
  @Uuid() id!: string;
  @Bool() is_superuser = false;
}
