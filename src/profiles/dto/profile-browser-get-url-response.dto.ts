import { Str, Num, Uuid } from '../../common/validation/fields.js';

export class ProfileBrowserGetUrlResponse {
  @Str() path!: string;
  @Str() password!: string;
  @Uuid() oid!: string;
  @Str() auth_bearer!: string;
  @Num() scale!: number;
  @Str() url!: string;
}
