import { invalid } from '../common/errors/domain-error.js';

/** The records are deleted, but some objects could not be deleted now. Their deletion is tried again later. */
export class FileDeletionError extends invalid('file_deletion_error') {}
