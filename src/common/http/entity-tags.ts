import { createHash } from 'node:crypto';

const tagsOf = (header: string): string[] => header.split(',').map((tag) => tag.trim().replace(/^W\//, ''));

/** Whether a header (tags or `*`) names this tag. Compared weakly, as for `If-None-Match`: RFC 9110 §13.1.2. */
export const listsTag = (header: string | undefined, tag: string): boolean =>
  header !== undefined && tagsOf(header).some((listed) => listed === '*' || listed === tag.replace(/^W\//, ''));

/**
 * The tag of an answer that shows more than what its reader can change: which revision it shows, and a digest of all
 * that it says, by which a kept answer is known to be out of date.
 */
export const revisionTag = (rev: number, body: object): string =>
  `"${String(rev)}-${createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 27)}"`;

/**
 * Whether `If-Match` (tags of `revisionTag`, or `*`) names this revision, whatever else changed since. Weak tags count:
 * a proxy that compresses answers makes strong tags weak.
 */
export const listsRevision = (header: string, rev: number): boolean =>
  tagsOf(header).some((listed) => listed === '*' || listed.startsWith(`"${String(rev)}-`));
