import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { memberRoute } from '../../shell/routes';

export const adminRoutes = [
  createRoute({
    getParentRoute: () => memberRoute,
    path: '/admin',
    component: lazyRouteComponent(() => import('./admin-page'), 'AdminPage'),
  }),
] as const;
