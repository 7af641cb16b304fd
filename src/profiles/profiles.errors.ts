import { Invalid, NotFound } from '../common/errors/domain-error.js';

export class ProfileNotFound extends NotFound {
  readonly detail = 'profile_not_found';
}
/** An active workflow uses it. */
export class ProfileInUse extends Invalid {
  readonly detail = 'profile_in_use';
}
/** The profile to start from is unknown, or has no file. */
export class InvalidBaseProfile extends Invalid {
  readonly detail = 'invalid_base_profile';
}
export class ProfileChannelNotFound extends NotFound {
  readonly detail = 'crawler_not_found';
}
/** Unknown, or not for this org. */
export class ProfileProxyNotFound extends NotFound {
  readonly detail = 'proxy_not_found';
}
export class BrowserNotCreated extends Invalid {
  readonly detail = 'browser_not_created';
}
/** The org's storage is no longer configured. */
export class MissingStorage extends Invalid {
  readonly detail = 'invalid_config_missing_storage_secret';
}
/** Unknown, ended, or of another org. */
export class NoSuchBrowser extends NotFound {
  readonly detail = 'no_such_browser';
}
/** Its profile could not be saved. */
export class BrowserNotValid extends Invalid {
  readonly detail = 'browser_not_valid';
}
