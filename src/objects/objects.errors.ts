import { Invalid } from '../common/errors/domain-error.js';

/** The records are gone, but some objects could not be deleted now; they are tried again later. */
export class FileDeletionError extends Invalid {
  readonly detail = 'file_deletion_error';
}
