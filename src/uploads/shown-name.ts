import { baseName } from '../common/text/base-name.js';

const MAX_LENGTH = 255;

/** The client's file name without folders and without characters that nobody types. */
export function shownName(originalName: string): string {
  const base = baseName(originalName).replace(/\p{Cc}/gu, '');
  return [...base].slice(0, MAX_LENGTH).join('');
}
