import { createRouter } from '@tanstack/react-router';
import { queryClient } from './api/query-client';
import { accountRoutes, personRoutes } from './rooms/account/routes';
import { adminRoutes } from './rooms/admin/routes';
import { collectionRoutes } from './rooms/collections/routes';
import { crawlRoutes } from './rooms/crawls/routes';
import { homeRoutes, startRoute } from './rooms/home/routes';
import { itemRoutes } from './rooms/items/routes';
import { profileRoutes } from './rooms/profiles/routes';
import { publicRoutes } from './rooms/public/routes';
import { qaRoutes } from './rooms/qa/routes';
import { settingsRoutes } from './rooms/settings/routes';
import { uploadRoutes } from './rooms/uploads/routes';
import { workflowRoutes } from './rooms/workflows/routes';
import { oldAddressRoute, oldOrgRoute } from './shell/old-addresses';
import { memberRoute, orgRoute, personRoute, rootRoute } from './shell/routes';

/** The one file that knows all rooms. */
const tree = rootRoute.addChildren([
  ...accountRoutes,
  ...publicRoutes,
  oldOrgRoute,
  oldAddressRoute,
  memberRoute.addChildren([
    startRoute,
    personRoute.addChildren([...personRoutes]),
    ...adminRoutes,
    orgRoute.addChildren([
      ...homeRoutes,
      ...workflowRoutes,
      ...crawlRoutes,
      ...itemRoutes,
      ...qaRoutes,
      ...uploadRoutes,
      ...collectionRoutes,
      ...profileRoutes,
      ...settingsRoutes,
    ]),
  ]),
]);

export const router = createRouter({
  routeTree: tree,
  context: { queryClient },
  defaultPreload: 'intent',
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
