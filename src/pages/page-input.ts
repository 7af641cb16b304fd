import { checkSort } from '../common/pagination/page.js';
import { invalidInput } from '../common/validation/issue.js';
import { decodedOnce, givenText } from '../common/validation/percent-decoding.js';
import {
  PAGE_SORT_FIELDS,
  type PageFilter,
  type PageQaFilter,
  type PageSort,
  type QaMeasure,
} from './data/page-query.js';
import { QaRunMissingForSort, RangeMissing } from './pages.errors.js';
import { parseUrl } from '../common/text/parse-url.js';

const QA_MEASURES = ['screenshotMatch', 'textMatch'] as const satisfies readonly QaMeasure[];

/** The filters of any page list as they come in a query. */
export interface PageListInput {
  readonly search?: string | null;
  readonly url?: string | null;
  readonly urlPrefix?: string | null;
  readonly ts?: Date | null;
  readonly isSeed?: boolean | null;
  readonly depth?: number | null;
  readonly reviewed?: boolean | null;
  readonly approved?: string | null;
  readonly hasNotes?: boolean | null;
}

export interface QaRangeInput {
  readonly qaFilterBy?: string | null;
  readonly filterQABy?: string | null;
  readonly gt?: number | null;
  readonly gte?: number | null;
  readonly lt?: number | null;
  readonly lte?: number | null;
}

const APPROVED = new Map<string, boolean | null>([
  ...['true', '1', 'yes', 'on'].map((word) => [word, true] as const),
  ...['false', '0', 'no', 'off'].map((word) => [word, false] as const),
  ...['none', 'null'].map((word) => [word, null] as const),
]);

/** `true,none` means judged good or not yet judged. Unknown words are ignored. */
export const approvedValues = (text: string): (boolean | null)[] =>
  text.split(',').flatMap((word) => {
    const value = APPROVED.get(word.trim().toLowerCase());
    return value === undefined ? [] : [value];
  });

/** The spellings to look for: a client's address may be encoded once more than the stored one, or not at all. */
export function spellingsOf(url: string): string[] {
  const normal = (text: string): string => parseUrl(text)?.href ?? text;
  return [...new Set([normal(decodedOnce(url)), normal(url)])];
}

export function toPageFilter(input: PageListInput, qa: PageQaFilter | null = null): PageFilter {
  const { search, url, urlPrefix, approved, ts, isSeed, depth, reviewed, hasNotes } = input;
  return {
    search: givenText(search),
    urls: url ? spellingsOf(url) : null,
    urlPrefix: givenText(urlPrefix),
    approved: approved ? approvedValues(approved) : null,
    ts,
    isSeed,
    depth,
    reviewed,
    hasNotes,
    qa,
  };
}

/** @throws RangeMissing for a measure without a bound, InputRefused for an unknown measure */
export function toQaFilter(runId: string, input: QaRangeInput): PageQaFilter {
  const name = input.qaFilterBy ? 'qaFilterBy' : 'filterQABy';
  const by = input[name];
  if (!by) return { runId };
  if (!(QA_MEASURES as readonly string[]).includes(by)) {
    const expected = "'screenshotMatch' or 'textMatch'";
    throw invalidInput(['query', name], `Input should be ${expected}`, by, 'enum');
  }
  const given = (['gt', 'gte', 'lt', 'lte'] as const).flatMap((bound) => {
    const value = input[bound];
    return value === null || value === undefined ? [] : [[bound, value] as const];
  });
  if (given.length === 0) throw new RangeMissing();
  return { runId, by: by as QaMeasure, bounds: Object.fromEntries(given) };
}

/** @throws InvalidSortBy, InvalidSortDirection, QaRunMissingForSort */
export function toPageSort(
  query: { sortBy?: string | null; sortDirection?: number | null },
  hasQaRun: boolean,
): PageSort | null {
  if (!hasQaRun && query.sortBy && (QA_MEASURES as readonly string[]).includes(query.sortBy))
    throw new QaRunMissingForSort();
  const sort = checkSort([...PAGE_SORT_FIELDS, ...QA_MEASURES], query.sortBy, query.sortDirection);
  return sort as PageSort | null;
}
