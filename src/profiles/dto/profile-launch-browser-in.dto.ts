import { nullable } from '../../common/validation/composites.js';
import { httpUrlText, uuid } from '../../common/validation/formats.js';
import { str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class ProfileLaunchBrowserIn {
  @Field(httpUrlText()) url!: string;
  @Field(nullable(uuid()), { optional: true }) profileId?: string | null;
  @Field(str(), { default: 'default' }) crawlerChannel!: string;
  @Field(nullable(str()), { optional: true }) proxyId?: string | null;
}
