import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { orgRoute } from '../../shell/routes';
import { settingsSearch } from './search';

export const settingsRoutes = [
  createRoute({
    getParentRoute: () => orgRoute,
    path: '/settings',
    validateSearch: settingsSearch,
    component: lazyRouteComponent(() => import('./settings-page'), 'SettingsPage'),
  }),
] as const;
