import { WriteRefused } from '../orgs/orgs.errors.js';
import { UnreadableWacz } from '../../formats/unreadable-wacz.js';
import { ChildTooLarge } from './multi-wacz-splitter.js';
import { PackageTooLarge } from './warc-packager.js';

/** Member names in a message are the sender's, and as long as the sender likes. */
const MAX_LENGTH = 500;

/**
 * Why an upload could not be processed, for whoever sent it: what is wrong with the file; of the service's own troubles
 * only that there were some. Contract: archive §4.2.
 */
export function failureReason(error: unknown): string {
  if (error instanceof UnreadableWacz) return `The file can't be read: ${error.message}`.slice(0, MAX_LENGTH);
  if (error instanceof ChildTooLarge || error instanceof PackageTooLarge) return error.message.slice(0, MAX_LENGTH);
  if (error instanceof WriteRefused) return `The org takes no files now: ${error.detail}`;
  return 'The upload could not be processed';
}
