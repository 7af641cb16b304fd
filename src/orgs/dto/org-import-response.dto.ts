import { Bool } from '../../common/validation/fields.js';

export class OrgImportResponse {
  @Bool() imported!: boolean;
}
