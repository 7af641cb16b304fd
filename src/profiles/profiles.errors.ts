import { invalid, notFound } from '../common/errors/domain-error.js';

/** There is no such browser profile. */
export class ProfileNotFound extends notFound('profile_not_found') {}
/** An active workflow uses the profile. */
export class ProfileInUse extends invalid('profile_in_use') {}
/** The profile to start from is unknown, or has no file. */
export class InvalidBaseProfile extends invalid('invalid_base_profile') {}
/** There is no crawler channel of this name. */
export class ProfileChannelNotFound extends notFound('crawler_not_found') {}
/** The proxy is unknown or not for this org. */
export class ProfileProxyNotFound extends notFound('proxy_not_found') {}
/** The browser could not be started. */
export class BrowserNotCreated extends invalid('browser_not_created') {}
/** The org's storage is no longer configured. */
export class MissingStorage extends invalid('invalid_config_missing_storage_secret') {}
/** The browser is unknown, has ended, or belongs to another org. */
export class NoSuchBrowser extends notFound('no_such_browser') {}
/** The browser's profile could not be saved. */
export class BrowserNotValid extends invalid('browser_not_valid') {}
