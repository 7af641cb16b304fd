import { Str, Num, Uuid, HttpUrlText, Bool, ListOf } from '../../common/validation/fields.js';
import { str } from '../../common/validation/scalars.js';

export class BrowserId {
  @Str() browserid!: string;
}

export class ProfileBrowserGetUrlResponse {
  @Str() path!: string;
  @Str() password!: string;
  @Uuid() oid!: string;
  @Str() auth_bearer!: string;
  @Num() scale!: number;
  @Str() url!: string;
}

export class ProfileLaunchBrowserIn {
  @HttpUrlText() url!: string;
  @Uuid({ nullable: true, optional: true }) profileId?: string | null;
  @Str() crawlerChannel = 'default';
  @Str({ nullable: true, optional: true }) proxyId?: string | null;
}

export class ProfilePingResponse {
  @Bool() success!: boolean;
  @ListOf(str()) origins!: string[];
}

export class UrlIn {
  @HttpUrlText() url!: string;
}
