/** The parts of a request that decide whether a limited token opens it. */
interface RequestedUse {
  readonly method: string;
  /** Path without the query. */
  readonly path: string;
}

/** What a replay token opens: one item or one collection of an org. */
export interface ReplayScope {
  readonly oid: string;
  readonly kind: 'item' | 'collection';
  readonly id: string;
}

const FAMILIES: Readonly<Record<ReplayScope['kind'], readonly string[]>> = {
  item: ['all-crawls', 'crawls', 'uploads'],
  collection: ['collections'],
};
/** The routes that the player reads. WACZ files have URLs that are signed one by one. */
const ROUTES: readonly string[] = ['replay.json', 'pages', 'pagesSearch'];

/** Whether this is a read that the player makes to show the token's item or collection. */
export function opensReplay({ oid, kind, id }: ReplayScope, { method, path }: RequestedUse): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  const [root, api, orgs, org, family = '', item, ...route] = path.split('/');
  const isOfScope = root === '' && api === 'api' && orgs === 'orgs' && org === oid && item === id;
  if (!isOfScope || !FAMILIES[kind].includes(family)) return false;
  if (route.length === 1) return ROUTES.includes(route[0] ?? '');
  // The replay that a QA run of the item recorded.
  return family === 'crawls' && route.length === 3 && route[0] === 'qa' && route[2] === 'replay.json';
}
