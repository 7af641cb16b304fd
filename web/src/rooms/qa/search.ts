import { listSearch, textOf, type ListSearch } from '../../ui/list-search';

export const MATCHES = ['screenshotMatch', 'textMatch'] as const;
export type Match = (typeof MATCHES)[number];
export const REVIEWS = ['unreviewed', 'reviewed', 'approved', 'rejected', 'noted'] as const;
export type Review = (typeof REVIEWS)[number];
export const VIEWS = ['screenshots', 'text', 'resources', 'replay'] as const;
export type View = (typeof VIEWS)[number];

/** Which pages are listed; the same for the list and for the review that is opened from it. */
export interface PageFilter {
  /** The match that is bounded by `from` (included) and `below` (not included). */
  readonly by?: Match;
  readonly from?: number;
  readonly below?: number;
  readonly review?: Review;
}
export interface QaSearch extends ListSearch, PageFilter {
  /** The QA run that is looked at; the newest finished one when none is named. */
  readonly run?: string;
}
export interface ReviewSearch extends PageFilter {
  readonly run?: string;
  /** The page that is looked at. */
  readonly pageId?: string;
  readonly sortBy?: string;
  readonly dir?: 1 | -1;
  /** Which part of the list stands beside the page. */
  readonly part?: number;
  readonly view?: View;
}

const oneOf = <T extends string>(values: readonly T[], value: unknown): T | undefined =>
  values.find((one) => one === value);
const scoreOf = (value: unknown): number | undefined => {
  const score = Number(value);
  return value !== undefined && value !== '' && score >= 0 && score <= 1 ? score : undefined;
};
const present = <T extends object>(search: T): T =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as T;

const filterOf = (search: Record<string, unknown>): PageFilter => ({
  by: oneOf(MATCHES, search['by']),
  from: scoreOf(search['from']),
  below: scoreOf(search['below']),
  review: oneOf(REVIEWS, search['review']),
});

export const qaSearch = (search: Record<string, unknown>): QaSearch =>
  present({ ...listSearch(search), ...filterOf(search), run: textOf(search['run']) });

export function reviewSearch(search: Record<string, unknown>): ReviewSearch {
  const { sortBy, dir } = listSearch(search);
  const part = listSearch({ page: search['part'] }).page;
  // Links of people may say `page`, as a QA run is `run`.
  const [run, pageId] = [textOf(search['run']), textOf(search['pageId'] ?? search['page'])];
  return present({ ...filterOf(search), sortBy, dir, part, run, pageId, view: oneOf(VIEWS, search['view']) });
}
