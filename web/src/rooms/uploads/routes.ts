import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { orgRoute } from '../../shell/routes';
import { listSearch, textOf, type ListSearch } from '../../ui/list-search';

export interface UploadsSearch extends ListSearch {
  readonly name?: string | undefined;
}

export const uploadsRoute = createRoute({
  getParentRoute: () => orgRoute,
  path: '/uploads',
  validateSearch: (search: Record<string, unknown>): UploadsSearch => ({
    ...listSearch(search),
    name: textOf(search['name']),
  }),
  component: lazyRouteComponent(() => import('./uploads-page'), 'UploadsPage'),
});

export const uploadRoutes = [uploadsRoute] as const;
