import { Invalid, NotFound } from '../common/errors/domain-error.js';

export class FileNotFound extends NotFound {
  readonly detail = 'file_not_found';
}
export class InvalidExtension extends Invalid {
  readonly detail = 'invalid_extension';
}
/** The bytes are not what they should be, the store did not take them, or the caller broke off: nothing is kept. */
export class UploadFailed extends Invalid {
  readonly detail = 'upload_failed';
}
export class SeedFileTooLarge extends Invalid {
  readonly detail = 'max_size_25_mb_exceeded';
}
/** No line of the file is a URL. */
export class InvalidSeedFile extends Invalid {
  readonly detail = 'invalid_seed_file';
}
/** A workflow or crawl starts from it. */
export class SeedFileInUse extends Invalid {
  readonly detail = 'seed_file_in_use';
}
