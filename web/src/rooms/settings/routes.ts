import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { orgRoute } from '../../shell/routes';

export const settingsRoutes = [
  createRoute({
    getParentRoute: () => orgRoute,
    path: '/settings',
    component: lazyRouteComponent(() => import('./settings-page'), 'SettingsPage'),
  }),
] as const;
