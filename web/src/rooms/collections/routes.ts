import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { orgRoute } from '../../shell/routes';
import { listSearch, textOf } from '../../ui/list-search';
import { accessOf, TABS, type CollectionSearch, type CollectionsSearch } from './collection-search';

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
