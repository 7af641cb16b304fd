import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { orgRoute } from '../../shell/routes';
import { qaSearch, reviewSearch } from './search';

export const qaRoutes = [
  createRoute({
    getParentRoute: () => orgRoute,
    path: '/items/$id/qa',
    validateSearch: qaSearch,
    component: lazyRouteComponent(() => import('./qa-page'), 'QaPage'),
  }),
  createRoute({
    getParentRoute: () => orgRoute,
    path: '/items/$id/review',
    validateSearch: reviewSearch,
    component: lazyRouteComponent(() => import('./review-page'), 'ReviewPage'),
  }),
] as const;
