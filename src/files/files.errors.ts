import { invalid, notFound } from '../common/errors/domain-error.js';

/** There is no such file. */
export class FileNotFound extends notFound('file_not_found') {}
/** The name does not end as a file of this kind must. */
export class InvalidExtension extends invalid('invalid_extension') {}
/** The bytes are wrong, the store did not take them, or the caller broke off. Nothing is kept. */
export class UploadFailed extends invalid('upload_failed') {}
/** The file is longer than 25,000,000 bytes. */
export class SeedFileTooLarge extends invalid('max_size_25_mb_exceeded') {}
/** No line of the file is a URL. */
export class InvalidSeedFile extends invalid('invalid_seed_file') {}
/** A workflow or crawl starts from the file. */
export class SeedFileInUse extends invalid('seed_file_in_use') {}
