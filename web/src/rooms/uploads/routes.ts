import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { orgRoute } from '../../shell/routes';
import { listSearch, textOf } from '../../ui/list-search';
import type { UploadsSearch } from './uploads-search';

export const uploadsRoute = createRoute({
  getParentRoute: () => orgRoute,
  path: '/uploads',
  validateSearch: (search: Record<string, unknown>): UploadsSearch => ({
    ...listSearch(search),
    name: textOf(search['name']),
    replace: textOf(search['replace']),
  }),
  component: lazyRouteComponent(() => import('./uploads-page'), 'UploadsPage'),
});

export const uploadRoutes = [uploadsRoute] as const;
