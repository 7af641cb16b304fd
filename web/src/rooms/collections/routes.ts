import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { orgRoute } from '../../shell/routes';
import { listSearch, textOf, type ListSearch } from '../../ui/list-search';

export const ACCESSES = ['private', 'unlisted', 'public'] as const;
export type Access = (typeof ACCESSES)[number];
const accessOf = (value: unknown): Access | undefined => ACCESSES.find((one) => one === value);

export interface CollectionsSearch extends ListSearch {
  /** The start of the name. */
  readonly name?: string;
  readonly access?: Access;
}

export const TABS = ['replay', 'items', 'pages', 'about', 'sharing'] as const;
export type Tab = (typeof TABS)[number];

export interface CollectionSearch extends ListSearch {
  readonly tab?: Tab;
  /** What the pages' titles and addresses are searched for. */
  readonly find?: string;
  /** Where replay opens. */
  readonly url?: string;
  readonly ts?: string;
}

export const collectionRoutes = [
  createRoute({
    getParentRoute: () => orgRoute,
    path: '/collections',
    validateSearch: (search: Record<string, unknown>): CollectionsSearch => ({
      ...listSearch(search),
      name: textOf(search['name']),
      access: accessOf(search['access']),
    }),
    component: lazyRouteComponent(() => import('./collections-page'), 'CollectionsPage'),
  }),
  createRoute({
    getParentRoute: () => orgRoute,
    path: '/collections/$id',
    validateSearch: (search: Record<string, unknown>): CollectionSearch => ({
      ...listSearch(search),
      tab: TABS.find((tab) => tab === search['tab']),
      find: textOf(search['find']),
      url: textOf(search['url']),
      ts: textOf(search['ts']),
    }),
    component: lazyRouteComponent(() => import('./collection-page'), 'CollectionPage'),
  }),
] as const;
