import { canonicalUuid } from '../common/ids/uuid.js';
import { InputRefused, type Issue } from '../common/validation/issue.js';
import { decodedOnce } from '../common/validation/percent-decoding.js';

/** The description of an upload in its query. */
export interface UploadInput {
  /** When it is empty, a name is made from the time. */
  readonly name: string;
  readonly description: string;
  readonly collectionIds: string[];
  readonly tags: string[];
}

const MAX_NAME = 1000;
const MAX_DESCRIPTION = 5000;
const MAX_TAG = 80;

/**
 * Reads the query of an upload. Every text is decoded once more. Lists may be repeated, comma-separated or both.
 * Contract: archive.md §4, §4.1.
 * @throws InputRefused 422 for an id that is no UUID, or a text that is too long; before any byte is stored
 */
export function parseUploadInput(query: URLSearchParams): UploadInput {
  const issues: Issue[] = [];
  const text = (field: string, max: number): string => {
    const value = decodedOnce(query.getAll(field).at(-1) ?? '');
    if (isLonger(value, max)) issues.push(tooLong([field], value, max));
    return value;
  };
  /** Reads a list; an empty value gives an empty list. */
  const list = (field: string): string[] => [
    ...new Set(query.getAll(field).flatMap((value) => (value === '' ? [] : decodedOnce(value).split(',')))),
  ];
  const name = text('name', MAX_NAME);
  const description = text('description', MAX_DESCRIPTION);
  const tags = list('tags')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '');
  for (const [index, tag] of tags.entries())
    if (isLonger(tag, MAX_TAG)) issues.push(tooLong(['tags', index], tag, MAX_TAG));
  const collectionIds = list('collections').flatMap((id) => {
    const canonical = canonicalUuid(id);
    if (canonical === null) issues.push(noUuid(id));
    return canonical ?? [];
  });
  if (issues.length > 0) throw new InputRefused(issues);
  return { name, description, tags, collectionIds: [...new Set(collectionIds)] };
}

/** Lengths count Unicode code points, as everywhere. */
const isLonger = (text: string, max: number): boolean => [...text].length > max;

/** `New Upload @ YYYY-MM-DD HH:MM:SS+00:00`. */
export function defaultName(now: Date): string {
  return `New Upload @ ${now.toISOString().slice(0, 19).replace('T', ' ')}+00:00`;
}

function tooLong(path: (string | number)[], input: string, max: number): Issue {
  const msg = `String should have at most ${max} characters`;
  return { type: 'string_too_long', loc: ['query', ...path], msg, input, ctx: { max_length: max } };
}

function noUuid(input: string): Issue {
  const error = `invalid length: expected length 32 for simple format, found ${input.length}`;
  const msg = `Input should be a valid UUID, ${error}`;
  return { type: 'uuid_parsing', loc: ['query', 'collections'], msg, input, ctx: { error } };
}
