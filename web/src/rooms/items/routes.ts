import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { orgRoute } from '../../shell/routes';
import { compareSearch, itemSearch, itemsSearch } from './searches';

export const itemRoutes = [
  createRoute({
    getParentRoute: () => orgRoute,
    path: '/items',
    validateSearch: itemsSearch,
    component: lazyRouteComponent(() => import('./items-page'), 'ItemsPage'),
  }),
  createRoute({
    getParentRoute: () => orgRoute,
    path: '/items/compare',
    validateSearch: compareSearch,
    component: lazyRouteComponent(() => import('./compare-page'), 'ComparePage'),
  }),
  createRoute({
    getParentRoute: () => orgRoute,
    path: '/items/$id',
    validateSearch: itemSearch,
    component: lazyRouteComponent(() => import('./item-page'), 'ItemPage'),
  }),
] as const;
