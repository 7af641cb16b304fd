import type { KeyGrant } from '../../common/access/access.js';
import { canonicalUuid } from '../../common/ids/uuid.js';

/** How a route names what it is about: in its path, or by a filter that it can do without. */
type Named =
  | { readonly item: string }
  | { readonly workflow: string }
  | { readonly collection: string }
  /** A list by a filter, without which it would have more in it. */
  | { readonly filters: Readonly<Record<string, 'workflow' | 'collection'>> };

/** What has to be looked at before a limited key opens a route. */
export type Reach = 'open' | 'closed' | { readonly oid: string; readonly itemId: string };

const ITEM: Named = { item: 'crawl_id' };
const WORKFLOW: Named = { workflow: 'cid' };
const COLLECTION: Named = { collection: 'coll_id' };
const OF_BOTH: Named = { filters: { cid: 'workflow', collectionId: 'collection' } };

const routes = (named: Named | 'any', lines: string): (readonly [string, Named | 'any'])[] =>
  lines
    .trim()
    .split('\n')
    .map((line) => [line.trim(), named] as const);

/**
 * The routes that a key opens which is limited to workflows or collections; it opens no other. Left out is what could
 * show or change more than those: settings of workflows (they name profiles, proxies and collections), items' membership
 * in collections, lists of the whole org, event streams. ADR 0057.
 */
export const LIMITED_ROUTES: ReadonlyMap<string, Named | 'any'> = new Map([
  ...routes(
    'any',
    `GET /users/me
     POST /auth/jwt/refresh`,
  ),
  ...routes(
    WORKFLOW,
    `GET /orgs/:oid/crawlconfigs/:cid
     GET /orgs/:oid/crawlconfigs/:cid/seeds
     GET /orgs/:oid/crawlconfigs/:cid/revs
     POST /orgs/:oid/crawlconfigs/:cid/run`,
  ),
  ...routes(
    COLLECTION,
    `GET /orgs/:oid/collections/:coll_id
     PATCH /orgs/:oid/collections/:coll_id
     DELETE /orgs/:oid/collections/:coll_id
     GET /orgs/:oid/collections/:coll_id/download
     GET /orgs/:oid/collections/:coll_id/download/wacz
     GET /orgs/:oid/collections/:coll_id/pageUrlCounts
     POST /orgs/:oid/collections/:coll_id/remove
     GET /orgs/:oid/collections/:coll_id/replay.json
     GET /orgs/:oid/collections/:coll_id/pages
     PUT /orgs/:oid/collections/:coll_id/thumbnail
     DELETE /orgs/:oid/collections/:coll_id/thumbnail
     GET /orgs/:oid/collections/:coll_id/cdx`,
  ),
  ...routes(
    OF_BOTH,
    `GET /orgs/:oid/crawls
     GET /orgs/:oid/all-crawls`,
  ),
  ...routes({ filters: { collectionId: 'collection' } }, 'GET /orgs/:oid/uploads'),
  ...routes({ filters: { collection: 'collection' } }, 'GET /wasapi/v1/webdata'),
  ...routes({ item: 'crawlid' }, 'GET /orgs/:oid/uploads/:crawlid'),
  ...routes(
    ITEM,
    `GET /orgs/:oid/crawls/:crawl_id
     GET /orgs/:oid/crawls/:crawl_id/replay.json
     GET /orgs/:oid/crawls/:crawl_id/seeds
     GET /orgs/:oid/crawls/:crawl_id/download
     POST /orgs/:oid/crawls/:crawl_id/stop
     POST /orgs/:oid/crawls/:crawl_id/cancel
     POST /orgs/:oid/crawls/:crawl_id/pause
     POST /orgs/:oid/crawls/:crawl_id/resume
     GET /orgs/:oid/crawls/:crawl_id/queue
     GET /orgs/:oid/crawls/:crawl_id/errors
     GET /orgs/:oid/crawls/:crawl_id/behaviorLogs
     GET /orgs/:oid/crawls/:crawl_id/logs
     GET /orgs/:oid/crawls/:crawl_id/pages
     GET /orgs/:oid/crawls/:crawl_id/pagesSearch
     GET /orgs/:oid/crawls/:crawl_id/pages/:page_id
     PATCH /orgs/:oid/crawls/:crawl_id/pages/:page_id
     POST /orgs/:oid/crawls/:crawl_id/pages/:page_id/notes
     PATCH /orgs/:oid/crawls/:crawl_id/pages/:page_id/notes
     POST /orgs/:oid/crawls/:crawl_id/pages/:page_id/notes/delete
     POST /orgs/:oid/crawls/:crawl_id/qa/start
     POST /orgs/:oid/crawls/:crawl_id/qa/stop
     POST /orgs/:oid/crawls/:crawl_id/qa/cancel
     GET /orgs/:oid/crawls/:crawl_id/qa
     GET /orgs/:oid/crawls/:crawl_id/qa/activeQA
     GET /orgs/:oid/crawls/:crawl_id/qa/:qa_run_id/replay.json
     GET /orgs/:oid/crawls/:crawl_id/qa/:qa_run_id/download
     GET /orgs/:oid/crawls/:crawl_id/qa/:qa_run_id/stats
     GET /orgs/:oid/crawls/:crawl_id/qa/:qa_run_id/pages
     GET /orgs/:oid/crawls/:crawl_id/qa/:qa_run_id/pages/:page_id
     GET /orgs/:oid/uploads/:crawl_id/replay.json
     GET /orgs/:oid/uploads/:crawl_id/download
     GET /orgs/:oid/uploads/:crawl_id/pages
     GET /orgs/:oid/uploads/:crawl_id/pages/:page_id
     GET /orgs/:oid/all-crawls/:crawl_id
     GET /orgs/:oid/all-crawls/:crawl_id/replay.json
     GET /orgs/:oid/all-crawls/:crawl_id/pages
     GET /orgs/:oid/all-crawls/:crawl_id/pages/:page_id
     GET /orgs/:oid/all-crawls/:crawl_id/download
     GET /orgs/:oid/all-crawls/:crawl_id/download/warc
     GET /orgs/:oid/all-crawls/:crawl_id/download/wacz
     GET /orgs/:oid/all-crawls/:crawl_id/cdx
     GET /orgs/:oid/all-crawls/:crawl_id/custody
     GET /wasapi/v1/webdata/:oid/:crawl_id/:filename`,
  ),
]);

/** What of a request tells a route and what it is about, as the router has read it. */
export interface RoutedRequest {
  readonly method: string;
  /** The route's own path, such as `/api/orgs/:oid/crawls`. */
  readonly route: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
}

/** Whether a limited key opens a route; of items it has to be looked up of which workflow and in what they are. */
export function reachOf(only: NonNullable<KeyGrant['only']>, { method, route, params, query }: RoutedRequest): Reach {
  const path = route.replace(/^\/api(?=\/)/, '').replace(/(?<=.)\/$/, '');
  const named = LIMITED_ROUTES.get(`${method === 'HEAD' ? 'GET' : method} ${path}`);
  if (named === undefined) return 'closed';
  if (named === 'any') return 'open';
  const within = (kind: 'workflow' | 'collection', value: unknown): boolean =>
    only[kind === 'workflow' ? 'workflows' : 'collections'].includes(canonicalUuid(String(value)) ?? '');
  if ('item' in named) return { oid: String(params['oid']), itemId: String(params[named.item]) };
  if ('workflow' in named) return within('workflow', params[named.workflow]) ? 'open' : 'closed';
  if ('collection' in named) return within('collection', params[named.collection]) ? 'open' : 'closed';
  // A name that is given twice is good if each of its values is.
  const isOpen = Object.entries(named.filters).some(([filter, kind]) => {
    const values = [query[filter] ?? []].flat();
    return values.length > 0 && values.every((value) => within(kind, value));
  });
  return isOpen ? 'open' : 'closed';
}
