import { invalid } from '../common/errors/domain-error.js';

/** The records are gone, but some objects could not be deleted now; they are tried again later. */
export class FileDeletionError extends invalid('file_deletion_error') {}
