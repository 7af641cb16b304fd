import { Str, Uuid, HttpUrlText } from '../../common/validation/fields.js';

export class ProfileLaunchBrowserIn {
  @HttpUrlText() url!: string;
  @Uuid({ nullable: true, optional: true }) profileId?: string | null;
  @Str() crawlerChannel = 'default';
  @Str({ nullable: true, optional: true }) proxyId?: string | null;
}
