import { bool } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class OrgImportResponse {
  @Field(bool()) imported!: boolean;
}
