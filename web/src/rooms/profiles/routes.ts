import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { orgRoute } from '../../shell/routes';

export const profileRoutes = [
  createRoute({
    getParentRoute: () => orgRoute,
    path: '/profiles',
    component: lazyRouteComponent(() => import('./profiles-page'), 'ProfilesPage'),
  }),
] as const;
