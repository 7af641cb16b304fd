import { api, type Schemas } from '../../api/client';
import { useMe } from '../../session/me';

export type PublicCollection = Schemas['PublicCollOut'] | Schemas['CollOut'];

export interface Profile {
  readonly name: string;
  readonly description: string;
  readonly url: string;
  readonly collections: readonly PublicCollection[];
  /** Only members see it: the org's public profile is off. */
  readonly isPreview: boolean;
}

interface Answer<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly refetch: () => void;
}

/** The person's own org of this slug. */
function useOwnOrg(orgSlug: string) {
  return useMe()?.orgs.find(({ slug }) => slug === orgSlug);
}

/** An org's public profile; its members see it before it is turned on. */
export function useProfile(orgSlug: string): Answer<Profile> {
  const open = api.useQuery(
    'get',
    '/api/public/orgs/{org_slug}/collections',
    { params: { path: { org_slug: orgSlug }, query: { sortBy: 'dateLatest', sortDirection: -1, pageSize: 1000 } } },
    { staleTime: 30_000 },
  );
  const own = useOwnOrg(orgSlug);
  const oid = own?.id ?? '';
  const isHidden = open.error !== null && own !== undefined;
  const org = api.useQuery('get', '/api/orgs/{oid}', { params: { path: { oid } } }, { enabled: isHidden });
  const list = api.useQuery(
    'get',
    '/api/orgs/{oid}/collections',
    {
      params: {
        path: { oid },
        query: { access: 'public', sortBy: 'dateLatest', sortDirection: -1, pageSize: 1000 },
      },
    },
    { enabled: isHidden },
  );
  const refetch = (): void => void open.refetch();
  if (open.data)
    return {
      data: {
        name: open.data.org.name,
        description: open.data.org.description ?? '',
        url: open.data.org.url ?? '',
        collections: open.data.collections ?? [],
        isPreview: false,
      },
      error: null,
      refetch,
    };
  if (!isHidden) return { data: undefined, error: open.error, refetch };
  if (!org.data || !list.data) return { data: undefined, error: org.error ?? list.error, refetch };
  return {
    data: {
      name: org.data.name,
      description: org.data.publicDescription ?? '',
      url: org.data.publicUrl ?? '',
      collections: list.data.items,
      isPreview: true,
    },
    error: null,
    refetch,
  };
}

/** A public or unlisted collection, by its present or a former slug. */
export const usePublicCollection = (orgSlug: string, slug: string) =>
  api.useQuery(
    'get',
    '/api/public/orgs/{org_slug}/collections/{coll_slug}',
    { params: { path: { org_slug: orgSlug, coll_slug: slug } } },
    { staleTime: 30_000 },
  );

/** Whether the person may edit collections of this org. */
export const useIsEditor = (oid: string): boolean => {
  const me = useMe();
  return me?.orgs.some(({ id, role }) => id === oid && role >= EDITOR) ?? false;
};
const EDITOR = 20;
