import { createRoute, redirect } from '@tanstack/react-router';
import { rootRoute } from './routes';

/** Rooms that the field's present client calls otherwise. */
const RENAMED: Readonly<Record<string, string>> = { 'browser-profiles': 'profiles', dashboard: '' };

/**
 * The console's address for what follows `/orgs/<slug>` in one of the field's present client, so that bookmarks and
 * links in mails go on to work (web-client §7).
 */
export function newAddress(slug: string, rest: string): string {
  const [room = '', ...parts] = rest.split('/').filter((part) => part !== '');
  const to = (...path: string[]): string => ['/o', slug, ...path].filter((part) => part !== '').join('/');
  // A crawl is an archived item, below its workflow there; items there are told apart as crawls and uploads.
  if (room === 'workflows' && parts[1] === 'crawls' && parts[2]) return to('items', parts[2]);
  if (room === 'items' && (parts[0] === 'crawl' || parts[0] === 'upload')) return to('items', ...parts.slice(1, 2));
  if (room === 'collections' && (parts[0] === 'view' || parts[0] === 'edit'))
    return to('collections', ...parts.slice(1, 2));
  if (room === 'browser-profiles') return to('profiles', ...parts.filter((part) => part !== 'profile').slice(0, 1));
  if (room === 'workflows') return to('workflows', ...parts.slice(0, 1));
  if (room === 'collections' || room === 'settings') return to(room, ...parts.slice(0, 1));
  return to(RENAMED[room] ?? room, ...parts);
}

/** `/orgs/<slug>/…` */
export const oldAddressRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/orgs/$slug/$',
  beforeLoad: ({ params: { slug, _splat = '' }, location }) => {
    throw redirect({ href: newAddress(slug, _splat) + location.searchStr, replace: true });
  },
});
export const oldOrgRoute = createRoute({
  getParentRoute: () => rootRoute,
  path: '/orgs/$slug',
  beforeLoad: ({ params: { slug } }) => {
    throw redirect({ to: '/o/$slug', params: { slug }, replace: true });
  },
});
