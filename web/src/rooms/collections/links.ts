import { withToken } from '../../api/client';
import { replayOrigin } from '../../session/session';
import type { Collection } from './queries';

/** Where anybody sees a public or unlisted collection. */
export const publicLink = (orgSlug: string, { slug }: Pick<Collection, 'slug'>): string =>
  `${location.origin}/explore/${encodeURIComponent(orgSlug)}/collections/${encodeURIComponent(slug)}`;

export const downloadLink = ({ oid, id }: Pick<Collection, 'oid' | 'id'>): string =>
  withToken(`/api/orgs/${oid}/collections/${id}/download`);

const escaped = (text: string): string =>
  text.replace(/[&<>"]/g, (one) => `&#${String(one.codePointAt(0))};`).replace(/\s+/g, ' ');

/** Code for another website's page: a frame of the replay origin. Null where replay has none: pages with a login are not framed. */
export function frameCode({ oid, id, name }: Collection): string | null {
  if (!replayOrigin) return null;
  const address = `${replayOrigin}/replay-page/?oid=${oid}&amp;collection=${id}&amp;public=1`;
  return `<iframe src="${address}" title="${escaped(name)}" width="100%" height="600" allow="fullscreen" style="border:0"></iframe>`;
}

/** The same for a website that has ReplayWeb.page itself. */
export function playerCode({ oid, id, homeUrl }: Collection): string {
  const source = `${location.origin}/api/orgs/${oid}/collections/${id}/public/replay.json`;
  const url = homeUrl ? ` url="${escaped(homeUrl)}"` : '';
  return `<replay-web-page source="${source}"${url} embed="default"></replay-web-page>`;
}
