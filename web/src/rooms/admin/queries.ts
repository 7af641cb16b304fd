import { getRouteApi } from '@tanstack/react-router';
import { api, type Schemas } from '../../api/client';
import { useMe } from '../../session/me';
import type { AdminSearch } from './search';

const route = getRouteApi('/member/admin');

/** What the address says of the page, and how to change it. */
export function useAddress(): { readonly search: AdminSearch; readonly change: (change: AdminSearch) => void } {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return { search, change: (change) => void navigate({ search: (now) => ({ ...now, ...change }), replace: true }) };
}

export const useSettings = (): Schemas['SettingsResponse'] | undefined =>
  api.useQuery('get', '/api/settings', {}, { staleTime: 60_000 }).data;

/** Name and slug of an org by its id: superusers' own record lists all orgs (accounts §4). */
export function useOrgNames(): (oid: string | null | undefined) => { slug: string; name: string } | undefined {
  const me = useMe();
  const orgs = new Map(me?.orgs?.map((org) => [org.id, org]));
  return (oid) => (oid ? orgs.get(oid) : undefined);
}
