import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { orgRoute } from '../../shell/routes';

export const uploadRoutes = [
  createRoute({
    getParentRoute: () => orgRoute,
    path: '/uploads',
    component: lazyRouteComponent(() => import('./uploads-page'), 'UploadsPage'),
  }),
] as const;
