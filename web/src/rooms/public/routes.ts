import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/routes';
import { textOf } from '../../ui/list-search';

/** Pages that anybody sees, logged in or not. */
export const publicRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/explore/$orgSlug',
    component: lazyRouteComponent(() => import('./profile-page'), 'ProfilePage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/explore/$orgSlug/collections/$collectionSlug',
    validateSearch: (search: Record<string, unknown>): { url?: string; ts?: string } => ({
      url: textOf(search['url']),
      ts: textOf(search['ts']),
    }),
    component: lazyRouteComponent(() => import('./public-collection-page'), 'PublicCollectionPage'),
  }),
  // Other clients' address of the public profile.
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/explore/$orgSlug/collections',
    component: lazyRouteComponent(() => import('./profile-page'), 'ProfilePage'),
  }),
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/explore',
    component: lazyRouteComponent(() => import('./gone'), 'NoOrgNamed'),
  }),
] as const;
