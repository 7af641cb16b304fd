import { Str, Num, Uuid, HttpUrlText, Bool, ListOf } from '../../common/validation/fields.js';
import { str } from '../../common/validation/scalars.js';

export class BrowserId {
  @Str() browserid!: string;
}

export class ProfileBrowserGetUrlResponse {
  /** Path of the view's socket. */
  @Str() path!: string;
  /** Password of the view. */
  @Str() password!: string;
  @Uuid() oid!: string;
  /** Token for the view of the browser. */
  @Str() auth_bearer!: string;
  /** Scale of the view; 1: as large as the browser. */
  @Num() scale!: number;
  /** Address of the view, with its token. */
  @Str() url!: string;
}

export class ProfileLaunchBrowserIn {
  @HttpUrlText() url!: string;
  /** Id of the profile to start from; null: an empty one. */
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
