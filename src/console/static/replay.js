import { askLogin, replayToken, takeLogin } from './session.js';

/**
 * Archived scripts run on this origin, below this page, and may read all that it holds. So it never holds a login: it
 * has a token for this one item or collection before the player is loaded. The token comes with the link, or from a
 * page with a form that is then left (docs/adr/0005-replay-holds-no-login.md,
 * docs/adr/0040-replay-on-an-origin-of-its-own.md).
 */
const KEY = 'muniment.replay';
const query = new URLSearchParams(location.search);
const oid = query.get('oid');
const collection = query.get('collection');
const item = query.get('item') ?? query.get('crawl') ?? query.get('upload');
const qaRun = query.get('qa');
const scope = { oid, kind: collection ? 'collection' : 'item', id: collection ?? item };

/** A public or unlisted collection is shown to anybody. */
const isPublic = Boolean(collection) && query.has('public');

const say = (text) => (document.getElementById('title').textContent = text);
const scopeName = `${scope.oid}/${scope.kind}/${scope.id}`;
const headersWith = (token) => (token ? { Authorization: `Bearer ${token}` } : {});

function keepToken(token) {
  sessionStorage.setItem(KEY, JSON.stringify({ of: scopeName, token }));
}

/** The token of this item; one of another item does not stay where this one's scripts could read it. */
function storedToken() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  if (fragment.has('replay_token')) {
    history.replaceState(null, '', location.pathname + location.search);
    keepToken(fragment.get('replay_token'));
  }
  const { of, token } = JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
  if (of === scopeName) return token;
  sessionStorage.removeItem(KEY);
  return null;
}

/** The page is loaded anew, so that nothing of the login is left in its memory. */
async function exchange(login) {
  const token = await replayToken(scope, login);
  if (token) keepToken(token);
  location.reload();
}

/** Where `replay.json` of the item, of its QA run or of the collection is. */
function sourcePath() {
  if (collection) return `/api/orgs/${oid}/collections/${collection}${isPublic ? '/public' : ''}/replay.json`;
  if (qaRun) return `/api/orgs/${oid}/crawls/${item}/qa/${qaRun}/replay.json`;
  return `/api/orgs/${oid}/all-crawls/${item}/replay.json`;
}

/** ReplayWeb.page reads the pages and the presigned WACZ URLs from `replay.json` itself. */
async function show(token) {
  const source = sourcePath();
  const headers = headersWith(token);
  const response = await fetch(source, { headers });
  if (response.status === 401) {
    sessionStorage.removeItem(KEY);
    return location.reload();
  }
  if (!response.ok) return fail(isPublic ? 'There is no such public collection.' : 'There is no such archived item.');
  const { name, firstSeed, homeUrl, initialPages, id } = await response.json();
  say(name || firstSeed || id);
  const player = document.createElement('replay-web-page');
  player.setAttribute('source', `${location.origin}${source}`);
  if (token) player.setAttribute('config', JSON.stringify({ headers }));
  player.setAttribute('replayBase', '/replay/');
  // In the console's frame the player shows its address bar and list of pages, unless the console asks for the page alone.
  player.setAttribute('embed', isFramed ? (query.has('bare') ? 'replayonly' : 'default') : 'replay-with-info');
  const url = query.get('url') ?? homeUrl ?? firstSeed ?? initialPages?.[0]?.url;
  if (url) player.setAttribute('url', url);
  if (query.has('ts')) player.setAttribute('ts', query.get('ts'));
  document.getElementById('player').append(player);
  followParent(player);
}

/** Tells a person who sees no title in a frame what is wrong. */
function fail(text) {
  say(text);
  document.getElementById('player').textContent = isFramed ? text : '';
}

/** The player lives of a service worker, which some browsers refuse to frames on websites of others. */
function mayStore() {
  try {
    return sessionStorage !== null && 'serviceWorker' in navigator;
  } catch {
    return false;
  }
}

function offerOwnPage() {
  fail('This browser lets no frame of another website store anything, which the replay needs. ');
  const link = document.createElement('a');
  Object.assign(link, {
    href: location.href,
    target: '_blank',
    rel: 'noopener',
    textContent: 'Open the archive on a page of its own',
  });
  document.getElementById('player').append(link);
}

/**
 * What the console and this page tell each other: the page to go to, a newer token, and where the person went. The
 * console is whatever frames this page; it gets nothing that it could not ask the player for.
 */
function followParent(player) {
  if (!isFramed) return;
  player.addEventListener('rwp-url-change', ({ detail: { url, ts } }) => {
    if (url) parent.postMessage({ type: 'muniment.page', url, ts: String(ts ?? '') }, '*');
  });
  addEventListener('message', ({ source, data }) => {
    if (source !== parent || typeof data !== 'object' || data === null) return;
    if (data.type === 'muniment.go' && typeof data.url === 'string') {
      player.setAttribute('ts', String(data.ts ?? ''));
      player.setAttribute('url', data.url);
    }
    if (data.type === 'muniment.token' && typeof data.token === 'string') renew(player, data.token);
  });
}

/** The service worker reads with the new token from here on. */
function renew(player, token) {
  keepToken(token);
  player.setAttribute('config', JSON.stringify({ headers: headersWith(token) }));
  const frame = player.shadowRoot?.querySelector('iframe');
  const main = frame?.contentDocument?.querySelector('replay-app-main');
  const prefix = main?.shadowRoot?.querySelector('wr-item')?.itemInfo?.apiPrefix;
  const body = JSON.stringify({ headers: headersWith(token) });
  // The service worker hears the player's frame alone: this page lies outside its scope.
  if (prefix) void frame.contentWindow.fetch(`${prefix}/updateAuth`, { method: 'POST', body });
}

/** On a replay origin of its own there is no form to log in with: a token comes with the link or not at all. */
const form = document.getElementById('login');
const isFramed = window !== window.top;
document.documentElement.classList.toggle('framed', isFramed);

const canStore = mayStore();
const login = isPublic || !canStore ? null : takeLogin();
const token = isPublic || !canStore ? null : storedToken();
if (isFramed && !canStore) offerOwnPage();
else if (isPublic || (oid && scope.id && token)) show(token).catch(() => fail('The item could not be shown.'));
else if (!oid || !scope.id) fail('The link names no archived item.');
else if (login && form) exchange(login);
else if (form) askLogin(form, exchange);
else fail('Open this archive from the console: the link to it has no token, or an old one.');
