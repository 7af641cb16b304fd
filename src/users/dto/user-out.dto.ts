import { uuid } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';
import { bool } from '../../common/validation/scalars.js';
import { UserOutNoId } from './user-out-no-id.dto.js';

export class UserOut extends UserOutNoId {
  @Field(uuid()) id!: string;
  @Field(bool(), { default: false }) is_superuser!: boolean;
}
