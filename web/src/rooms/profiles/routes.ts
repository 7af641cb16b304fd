import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { orgRoute } from '../../shell/routes';
import { profilesSearch } from './search';

export const profileRoutes = [
  createRoute({
    getParentRoute: () => orgRoute,
    path: '/profiles',
    validateSearch: profilesSearch,
    component: lazyRouteComponent(() => import('./profiles-page'), 'ProfilesPage'),
  }),
  createRoute({
    getParentRoute: () => orgRoute,
    path: '/profiles/$id',
    component: lazyRouteComponent(() => import('./profile-page'), 'ProfilePage'),
  }),
] as const;
