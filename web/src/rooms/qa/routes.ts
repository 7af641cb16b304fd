import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { orgRoute } from '../../shell/routes';

export const qaRoutes = [
  createRoute({
    getParentRoute: () => orgRoute,
    path: '/items/$id/qa',
    component: lazyRouteComponent(() => import('./qa-page'), 'QaPage'),
  }),
] as const;
