import { list } from '../../common/validation/composites.js';
import { bool, str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class ProfilePingResponse {
  @Field(bool()) success!: boolean;
  @Field(list(str())) origins!: string[];
}
