import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { memberRoute } from '../../shell/routes';
import { adminSearch } from './search';

export const adminRoutes = [
  createRoute({
    getParentRoute: () => memberRoute,
    path: '/admin',
    validateSearch: adminSearch,
    component: lazyRouteComponent(() => import('./admin-page'), 'AdminPage'),
  }),
] as const;
