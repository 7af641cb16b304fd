import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api, type Schemas } from '../api/client';
import { paced } from '../api/live';
import { ApiProblem } from '../api/problem';
import { queryClient } from '../api/query-client';
import { session, useSession } from './session';

/** Roles of a member, as the API orders them (accounts §4). */
export const ROLE = { viewer: 10, crawler: 20, owner: 40, superuser: 100 } as const;

export type OrgOfMine = Schemas['UserOrgInfoOut'];

const ME_STAYS_MS = 60_000;

const ofMe = api.queryOptions('get', '/api/users/me', {}, { staleTime: ME_STAYS_MS });
const recordOf = (oid: string) => api.queryOptions('get', '/api/orgs/{oid}', { params: { path: { oid } } });

/** Asks who is logged in while the code of the page is still on its way. */
export function askForMe(): void {
  if (session.state === 'in') void queryClient.prefetchQuery(ofMe);
}

/**
 * Asks for the record of the org that a page's address names, while the page's code is still on its way.
 * @returns the org's id; undefined where there is no such org, or nobody is logged in
 */
export async function askForOrg(slug: string): Promise<string | undefined> {
  if (session.state !== 'in') return undefined;
  // The page tells of what goes wrong.
  const me = await queryClient.ensureQueryData(ofMe).catch(() => undefined);
  const oid = me && orgNamed(me, slug)?.id;
  if (oid) void queryClient.prefetchQuery(recordOf(oid));
  return oid;
}

const orgNamed = ({ orgs }: Schemas['UserOut'], name: string): OrgOfMine | undefined =>
  orgs?.find(({ slug, id }) => slug === name || id === name);

/** The account that is logged in, with its orgs; undefined until it is read. */
export function useMe(): Schemas['UserOut'] | undefined {
  const { token } = useSession();
  const { data } = useQuery({ ...ofMe, enabled: token !== null });
  return data;
}

export interface CurrentOrg {
  readonly oid: string;
  readonly slug: string;
  readonly name: string;
  readonly role: number;
  /** May create, edit, run and upload. */
  readonly canCrawl: boolean;
  /** May change the org's settings and members. */
  readonly isOwner: boolean;
}

/** The org of the page's address, which names it by slug or id; undefined while unknown, null where there is none. */
export function useOrgOfAddress(): CurrentOrg | null | undefined {
  const me = useMe();
  const { slug = '' } = useParams({ strict: false });
  return useMemo(() => {
    if (!me) return undefined;
    const org = orgNamed(me, slug);
    return org ? currentOrg(org, me.is_superuser ?? false) : null;
  }, [me, slug]);
}

/** The org of a page below `/o/$slug`, which is shown only when there is one. */
export function useOrg(): CurrentOrg {
  const org = useOrgOfAddress();
  if (!org) throw new Error('This page is shown outside an org.');
  return org;
}

/** Whether the current org wants a second factor that this login had not. */
export function useFactorDemanded(oid: string | undefined): boolean {
  const { error } = useQuery({ ...recordOf(oid ?? ''), enabled: oid !== undefined, retry: false });
  return error instanceof ApiProblem && error.code === 'second_factor_demanded';
}

/** The whole record of the current org: quotas, usage, settings. */
export function useOrgRecord(): Schemas['OrgOut'] | undefined {
  const { oid } = useOrg();
  const { data } = useQuery({ ...recordOf(oid), refetchInterval: paced.seldom });
  return data;
}

function currentOrg(org: OrgOfMine, isSuperuser: boolean): CurrentOrg {
  const role = isSuperuser ? ROLE.superuser : org.role;
  return {
    oid: org.id,
    slug: org.slug,
    name: org.name,
    role,
    canCrawl: role >= ROLE.crawler,
    isOwner: role >= ROLE.owner,
  };
}
