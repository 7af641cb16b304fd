import { Str, Bool } from '../../common/validation/fields.js';

export class CrawlerProxy {
  @Str() id!: string;
  @Str() url!: string;
  @Str() label!: string;
  @Str() description = '';
  @Str() country_code = '';
  @Bool() has_host_public_key = false;
  @Bool() has_private_key = false;
  @Bool() shared = false;
}
