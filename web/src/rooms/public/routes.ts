import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { rootRoute } from '../../shell/routes';

export const publicRoutes = [
  createRoute({
    getParentRoute: () => rootRoute,
    path: '/explore',
    component: lazyRouteComponent(() => import('./public-page'), 'PublicPage'),
  }),
] as const;
