import { api, token, withLogin } from './session.js';

const query = new URLSearchParams(location.search);
const oid = query.get('oid');
const collection = query.get('collection');
const item = query.get('item') ?? query.get('crawl') ?? query.get('upload');

/** ReplayWeb.page reads the pages and the presigned WACZ URLs from `replay.json` itself, with this tab's token. */
async function show() {
  const path = collection ? `/orgs/${oid}/collections/${collection}` : `/orgs/${oid}/all-crawls/${item}`;
  const { name, firstSeed, id } = await api(`${path}/replay.json`);
  document.getElementById('title').textContent = name || firstSeed || id;
  const player = document.createElement('replay-web-page');
  player.setAttribute('source', `${location.origin}/api${path}/replay.json?auth_bearer=${encodeURIComponent(token())}`);
  player.setAttribute('replayBase', '/replay/');
  player.setAttribute('embed', 'replay-with-info');
  const url = query.get('url') ?? firstSeed;
  if (url) player.setAttribute('url', url);
  if (query.has('ts')) player.setAttribute('ts', query.get('ts'));
  document.getElementById('player').append(player);
}

if (oid && (item || collection)) withLogin(document.getElementById('login'), show);
else document.getElementById('title').textContent = 'The link names no archived item.';
