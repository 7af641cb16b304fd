import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { listSearch, textOf, textsOf, type ListSearch } from '../../ui/list-search';

type Search = Record<string, unknown>;

/** What the address says of the list of items. */
export interface ItemsSearch extends ListSearch {
  readonly type?: 'crawl' | 'upload';
  readonly name?: string;
  readonly firstSeed?: string;
  readonly id?: string;
  readonly state?: readonly string[];
  readonly tags?: readonly string[];
  readonly tagMatch?: 'or';
  readonly collection?: string;
  /** `4`, or a range: `4-5`. */
  readonly review?: string;
  readonly mine?: boolean;
  readonly workflow?: string;
}

const oneOf = <T extends string>(values: readonly T[], value: unknown): T | undefined =>
  values.find((one) => one === value);

/** Leaves keys without a value out of the address. */
const given = <T extends object>(search: T): T =>
  Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined)) as T;

export const itemsSearch = (search: Search): ItemsSearch =>
  given({
    ...listSearch(search),
    type: oneOf(['crawl', 'upload'], search['type']),
    name: textOf(search['name']),
    firstSeed: textOf(search['firstSeed']),
    id: textOf(search['id']),
    state: textsOf(search['state']),
    tags: textsOf(search['tags']),
    tagMatch: oneOf(['or'], search['tagMatch']),
    collection: textOf(search['collection']),
    review: /^[1-5](-[1-5])?$/.test(textOf(search['review']) ?? '') ? textOf(search['review']) : undefined,
    mine: search['mine'] === true ? true : undefined,
    workflow: textOf(search['workflow']),
  });

export const TABS = ['overview', 'replay', 'pages', 'files', 'logs', 'settings'] as const;
export type Tab = (typeof TABS)[number];
export const PAGE_FILTERS = ['approved', 'rejected', 'unreviewed', 'notes'] as const;
export const LOGS = ['errors', 'behaviors'] as const;

/** What the address says of one item: its tab, the page that is replayed, the filters of the tab's list. */
export interface ItemSearch extends ListSearch {
  readonly tab?: Tab;
  readonly url?: string;
  readonly ts?: string;
  readonly search?: string;
  readonly only?: (typeof PAGE_FILTERS)[number];
  readonly log?: (typeof LOGS)[number];
}

export const itemSearch = (search: Search): ItemSearch =>
  given({
    ...listSearch(search),
    tab: oneOf(TABS, search['tab']),
    url: textOf(search['url']),
    ts: textOf(search['ts']),
    search: textOf(search['search']),
    only: oneOf(PAGE_FILTERS, search['only']),
    log: oneOf(LOGS, search['log']),
  });

export const CHANGES = ['new', 'gone', 'changed', 'same'] as const;
export type Change = (typeof CHANGES)[number];

/** What the address says of a comparison: the older and the newer crawl, which pages, and the one side by side. */
export interface CompareSearch extends ListSearch {
  readonly a?: string;
  readonly b?: string;
  readonly show?: Change;
  readonly url?: string;
}

export const compareSearch = (search: Search): CompareSearch =>
  given({
    ...listSearch(search),
    a: textOf(search['a']),
    b: textOf(search['b']),
    show: oneOf(CHANGES, search['show']),
    url: textOf(search['url']),
  });

/** What the address says, and a change of it. A change of filters leads back to the first page of the list. */
export function useAddress<T extends ListSearch>(
  read: (search: Search) => T,
): readonly [T, (change: Partial<T>) => void] {
  const search = read(useSearch({ strict: false }));
  const navigate = useNavigate();
  const change = useCallback(
    (next: Partial<T>) =>
      void navigate({
        to: '.',
        search: ((now: Search) => given({ ...now, page: undefined, ...next })) as never,
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  return [search, change];
}
