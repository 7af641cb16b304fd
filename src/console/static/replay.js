import { api, publicApi, token, withLogin } from './session.js';

const query = new URLSearchParams(location.search);
const oid = query.get('oid');
const collection = query.get('collection');
const item = query.get('item') ?? query.get('crawl') ?? query.get('upload');

/** A public or unlisted collection is shown to anybody. */
const isPublic = Boolean(collection) && query.has('public');

/** ReplayWeb.page reads the pages and the presigned WACZ URLs from `replay.json` itself, with this tab's token. */
async function show() {
  const of = collection ? `/orgs/${oid}/collections/${collection}` : `/orgs/${oid}/all-crawls/${item}`;
  const path = `${of}${isPublic ? '/public' : ''}/replay.json`;
  const { name, firstSeed, id } = await (isPublic ? publicApi(path) : api(path));
  document.getElementById('title').textContent = name || firstSeed || id;
  const player = document.createElement('replay-web-page');
  const login = isPublic ? '' : `?auth_bearer=${encodeURIComponent(token())}`;
  player.setAttribute('source', `${location.origin}/api${path}${login}`);
  player.setAttribute('replayBase', '/replay/');
  player.setAttribute('embed', 'replay-with-info');
  const url = query.get('url') ?? firstSeed;
  if (url) player.setAttribute('url', url);
  if (query.has('ts')) player.setAttribute('ts', query.get('ts'));
  document.getElementById('player').append(player);
}

if (isPublic)
  show().catch(() => (document.getElementById('title').textContent = 'There is no such public collection.'));
else if (oid && (item || collection)) withLogin(document.getElementById('login'), show);
else document.getElementById('title').textContent = 'The link names no archived item.';
