import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { orgRoute } from '../../shell/routes';
import { textOf } from '../../ui/list-search';
import { revisionSearch } from './revisions/revision-search';
import { workflowSearch } from './workflow-search';

export const workflowRoutes = [
  createRoute({
    getParentRoute: () => orgRoute,
    path: '/workflows',
    validateSearch: workflowSearch,
    component: lazyRouteComponent(() => import('./workflows-page'), 'WorkflowsPage'),
  }),
  createRoute({
    getParentRoute: () => orgRoute,
    path: '/workflows/new',
    validateSearch: (search: Record<string, unknown>): { readonly from?: string; readonly url?: string } => {
      const [from, url] = [textOf(search['from']), textOf(search['url'])];
      return { ...(from ? { from } : {}), ...(url ? { url } : {}) };
    },
    component: lazyRouteComponent(() => import('./editing/new-page'), 'NewWorkflowPage'),
  }),
  createRoute({
    getParentRoute: () => orgRoute,
    path: '/workflows/$id/edit',
    component: lazyRouteComponent(() => import('./editing/edit-page'), 'EditWorkflowPage'),
  }),
  createRoute({
    getParentRoute: () => orgRoute,
    path: '/workflows/$id/revisions',
    validateSearch: revisionSearch,
    component: lazyRouteComponent(() => import('./revisions/revisions-page'), 'RevisionsPage'),
  }),
] as const;
