import { failure, invalid, notFound } from '../common/errors/domain-error.js';

/** A file of the item is no readable WACZ, or its WARC files are packed in a way that cannot be sent as one. */
export class UnreadableArchive extends invalid('unreadable_archive') {}

/** A file cannot be read from its storage. */
export class ArchiveUnavailable extends failure('not-ready', 'archive_unavailable') {}

/** An index has one page, number 0. */
export class NoSuchPage extends invalid('no_such_page') {}

/** The address is no http or https URL. */
export class InvalidUrl extends invalid('invalid_url') {}

/** `Accept-Datetime` is no date of HTTP. */
export class InvalidDatetime extends invalid('invalid_datetime') {}

/** The collection has no capture of the address. */
export class NoCaptures extends notFound('no_captures') {}

/** The caller is in no org of this id or slug. */
export class AccountNotFound extends notFound('account_not_found') {}

/** The account has no file of this name, or none that the caller may see. */
export class WebdataFileNotFound extends notFound('file_not_found') {}
