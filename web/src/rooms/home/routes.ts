import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { memberRoute, orgRoute } from '../../shell/routes';
import { askForDashboard } from './queries';

/** `/`: leads on to the org that was last looked at, or to the first. */
export const startRoute = createRoute({
  getParentRoute: () => memberRoute,
  path: '/',
  component: lazyRouteComponent(() => import('./start-page'), 'StartPage'),
});

export const homeRoutes = [
  createRoute({
    getParentRoute: () => orgRoute,
    path: '/',
    // Nothing waits for it: what is there is drawn.
    loader: ({ params }) => void askForDashboard(params.slug),
    component: lazyRouteComponent(() => import('./dashboard-page'), 'DashboardPage'),
  }),
] as const;
