import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { orgRoute } from '../../shell/routes';
import { workflowSearch } from './workflow-search';

export const crawlRoutes = [
  createRoute({
    getParentRoute: () => orgRoute,
    path: '/workflows/$id',
    validateSearch: workflowSearch,
    component: lazyRouteComponent(() => import('./workflow-page'), 'WorkflowPage'),
  }),
] as const;
