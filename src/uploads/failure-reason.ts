import { WriteRefused } from '../orgs/orgs.errors.js';
import { UnreadableWacz } from '../../formats/unreadable-wacz.js';
import { ChildTooLarge } from './multi-wacz-splitter.js';
import { PackageTooLarge } from './warc-packager.js';

/** The sender chooses the member names in a message and their length. */
const MAX_LENGTH = 500;

/**
 * The reason for a failed upload that its sender sees. It tells what is wrong with the file. For a fault of the service
 * it says only that there was one. Contract: archive §4.2.
 */
export function failureReason(error: unknown): string {
  if (error instanceof UnreadableWacz) return `The file can't be read: ${error.message}`.slice(0, MAX_LENGTH);
  if (error instanceof ChildTooLarge || error instanceof PackageTooLarge) return error.message.slice(0, MAX_LENGTH);
  if (error instanceof WriteRefused) return `The org takes no files now: ${error.detail}`;
  return 'The upload could not be processed';
}
