import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { orgRoute } from '../../shell/routes';

export const itemRoutes = [
  createRoute({
    getParentRoute: () => orgRoute,
    path: '/items',
    component: lazyRouteComponent(() => import('./items-page'), 'ItemsPage'),
  }),
] as const;
