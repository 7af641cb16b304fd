import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { orgRoute } from '../../shell/routes';

export const collectionRoutes = [
  createRoute({
    getParentRoute: () => orgRoute,
    path: '/collections',
    component: lazyRouteComponent(() => import('./collections-page'), 'CollectionsPage'),
  }),
] as const;
