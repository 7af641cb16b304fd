import type { ListSearch } from '../../ui/list-search';

export const ACCESSES = ['private', 'unlisted', 'public'] as const;
export type Access = (typeof ACCESSES)[number];
export const accessOf = (value: unknown): Access | undefined => ACCESSES.find((one) => one === value);

export interface CollectionsSearch extends ListSearch {
  /** The start of the name. */
  readonly name?: string;
  readonly access?: Access;
}

export const TABS = ['replay', 'items', 'pages', 'about', 'sharing', 'dedupe'] as const;
export type Tab = (typeof TABS)[number];

export interface CollectionSearch extends ListSearch {
  readonly tab?: Tab;
  /** What the pages' titles and addresses are searched for. */
  readonly find?: string;
  /** Where replay opens. */
  readonly url?: string;
  readonly ts?: string;
}
