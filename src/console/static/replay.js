import { askLogin, replayToken, takeLogin } from './session.js';

/**
 * Archived scripts run on this origin, below this page, and may read all that it holds. So it never holds a login: it
 * has a token for this one item or collection before the player is loaded, and gets it in a page that is then left
 * (docs/adr/0005-replay-holds-no-login.md).
 */
const KEY = 'muniment.replay';
const query = new URLSearchParams(location.search);
const oid = query.get('oid');
const collection = query.get('collection');
const item = query.get('item') ?? query.get('crawl') ?? query.get('upload');
const scope = { oid, kind: collection ? 'collection' : 'item', id: collection ?? item };

/** A public or unlisted collection is shown to anybody. */
const isPublic = Boolean(collection) && query.has('public');

const say = (text) => (document.getElementById('title').textContent = text);
const scopeName = `${scope.oid}/${scope.kind}/${scope.id}`;

/** The token of this item; one of another item does not stay where this one's scripts could read it. */
function storedToken() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  if (fragment.has('replay_token')) {
    history.replaceState(null, '', location.pathname + location.search);
    sessionStorage.setItem(KEY, JSON.stringify({ of: scopeName, token: fragment.get('replay_token') }));
  }
  const { of, token } = JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
  if (of === scopeName) return token;
  sessionStorage.removeItem(KEY);
  return null;
}

/** The page is loaded anew, so that nothing of the login is left in its memory. */
async function exchange(login) {
  const token = await replayToken(scope, login);
  if (token) sessionStorage.setItem(KEY, JSON.stringify({ of: scopeName, token }));
  location.reload();
}

/** ReplayWeb.page reads the pages and the presigned WACZ URLs from `replay.json` itself. */
async function show(token) {
  const of = collection ? `/orgs/${oid}/collections/${collection}` : `/orgs/${oid}/all-crawls/${item}`;
  const source = `/api${of}${isPublic ? '/public' : ''}/replay.json`;
  const headers = token ? { Authorization: `Bearer ${token}` } : {};
  const response = await fetch(source, { headers });
  if (response.status === 401) {
    sessionStorage.removeItem(KEY);
    return location.reload();
  }
  if (!response.ok) return say(isPublic ? 'There is no such public collection.' : 'There is no such archived item.');
  const { name, firstSeed, id } = await response.json();
  say(name || firstSeed || id);
  const player = document.createElement('replay-web-page');
  player.setAttribute('source', `${location.origin}${source}`);
  if (token) player.setAttribute('config', JSON.stringify({ headers }));
  player.setAttribute('replayBase', '/replay/');
  player.setAttribute('embed', 'replay-with-info');
  const url = query.get('url') ?? firstSeed;
  if (url) player.setAttribute('url', url);
  if (query.has('ts')) player.setAttribute('ts', query.get('ts'));
  document.getElementById('player').append(player);
}

/** On a replay origin of its own there is no form to log in with: a token comes with the link or not at all. */
const form = document.getElementById('login');
document.documentElement.classList.toggle('framed', window !== window.top);

const login = takeLogin();
const token = isPublic ? null : storedToken();
if (isPublic || (oid && scope.id && token)) show(token).catch(() => say('The item could not be shown.'));
else if (!oid || !scope.id) say('The link names no archived item.');
else if (login && form) exchange(login);
else if (form) askLogin(form, exchange);
else say('Open this archive from the console: the link to it has no token, or an old one.');
