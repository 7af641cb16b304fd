import { Str } from '../../common/validation/fields.js';

export class PublicOrgDetails {
  @Str() name!: string;
  @Str() description = '';
  @Str() url = '';
}
