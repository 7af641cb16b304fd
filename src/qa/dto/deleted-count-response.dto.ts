import { int } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class DeletedCountResponse {
  @Field(int()) deleted!: number;
}
