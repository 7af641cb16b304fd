import { createRootRoute, createRoute, lazyRouteComponent } from '@tanstack/react-router';

/** Below it lie all pages. */
export const rootRoute = createRootRoute({
  component: lazyRouteComponent(() => import('./root'), 'Root'),
  notFoundComponent: lazyRouteComponent(() => import('./not-found'), 'NotFound'),
});

/** Pages of whoever is logged in; others see the log-in form in their place. */
export const memberRoute = createRoute({
  getParentRoute: () => rootRoute,
  id: 'member',
  component: lazyRouteComponent(() => import('./member-shell'), 'MemberShell'),
});

/** Pages of whoever is logged in that belong to no org: a header without a menu. */
export const personRoute = createRoute({
  getParentRoute: () => memberRoute,
  id: 'person',
  component: lazyRouteComponent(() => import('./person-shell'), 'PersonShell'),
});

/** Pages of one org: `/o/$slug/…`, by slug or id. */
export const orgRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: '/o/$slug',
  component: lazyRouteComponent(() => import('./org-shell'), 'OrgShell'),
});
