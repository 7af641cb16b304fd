import { getRouteApi } from '@tanstack/react-router';
import { api, type Schemas } from '../../api/client';
import { useOrg } from '../../session/me';
import { useAct } from '../../ui/use-act';
import { sayNow } from '../../i18n/texts';
import type { SettingsSearch } from './search';
import { settingsTexts } from './settings.texts';

export type OrgRecord = Schemas['OrgOut'];

const route = getRouteApi('/member/o/$slug/settings');

/** What the address says of the page, and how to change it. */
export function useAddress(): {
  readonly search: SettingsSearch;
  readonly change: (change: SettingsSearch) => void;
} {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return { search, change: (change) => void navigate({ search: (now) => ({ ...now, ...change }), replace: true }) };
}

/** The path parameters of everything below an org. */
export function usePath(): { readonly path: { readonly oid: string } } {
  const { oid } = useOrg();
  return { path: { oid } };
}

/** Runs a change of the org, tells how it went, and reads the org anew. @returns whether it went well */
export function useChange(): (change: () => Promise<unknown>, done?: string) => Promise<boolean> {
  const act = useAct();
  return (change, done = sayNow(settingsTexts, 'saved')) => act(change, done);
}

export const useSettings = (): Schemas['SettingsResponse'] | undefined =>
  api.useQuery('get', '/api/settings', {}, { staleTime: 600_000 }).data;
