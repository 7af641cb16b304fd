import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { orgRoute } from '../../shell/routes';

export const workflowRoutes = [
  createRoute({
    getParentRoute: () => orgRoute,
    path: '/workflows',
    component: lazyRouteComponent(() => import('./workflows-page'), 'WorkflowsPage'),
  }),
] as const;
