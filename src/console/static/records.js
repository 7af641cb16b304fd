/**
 * Reads records about a page, such as its screenshot `urn:view:<url>`, out of an archived item and a QA run of it, for
 * the console that frames this page. The player's service worker reads the archives; no archived page is shown here.
 *
 * In: `{ type: 'record', id, source: 'item' | 'qa', urn, ts }`. Out: `{ type: 'ready' }`, then for each
 * `{ type: 'record', id, status, body }`; a status of 0 says that the archive could not be opened.
 */
const OPEN_MS = 60_000;
const query = new URLSearchParams(location.search);
const [oid, item, run] = ['oid', 'item', 'run'].map((name) => query.get(name) ?? '');
const token = new URLSearchParams(location.hash.slice(1)).get('replay_token');
history.replaceState(null, '', location.pathname + location.search);
const headers = { Authorization: `Bearer ${token}` };

const sources = {
  item: `/api/orgs/${oid}/all-crawls/${item}/replay.json`,
  qa: `/api/orgs/${oid}/crawls/${item}/qa/${run}/replay.json`,
};
const names = { item: `records-${item}`, qa: `records-${run}` };
const opened = {};

/** Lets the player open an archive, once. Its start page is a name that no archive holds, so that no script runs. */
function open(source) {
  opened[source] ??= new Promise((resolve, reject) => {
    const player = document.createElement('replay-web-page');
    player.setAttribute('source', `${location.origin}${sources[source]}`);
    player.setAttribute('coll', names[source]);
    player.setAttribute('config', JSON.stringify({ headers }));
    player.setAttribute('replayBase', '/replay/');
    player.setAttribute('embed', 'replayonly');
    player.setAttribute('url', 'urn:muniment:nothing');
    document.body.append(player);
    const end = Date.now() + OPEN_MS;
    const look = async () => {
      // The service worker hears the player's frame alone, as this page lies outside its scope. Without it in charge,
      // the question reaches the server, which knows no such path.
      const frame = player.shadowRoot?.querySelector('iframe')?.contentWindow;
      const answer = await frame?.fetch(`${location.origin}/replay/w/api/c/${names[source]}`).catch(() => null);
      if (answer?.ok) return resolve(frame);
      if (Date.now() > end) return reject(new Error('the archive could not be opened'));
      setTimeout(look, 250);
    };
    look();
  });
  return opened[source];
}

async function read({ source, urn, ts }) {
  const frame = await open(source);
  const time = (ts ?? '').replace(/\D/g, '').slice(0, 14) || '20200101000000';
  const answer = await frame.fetch(
    `${location.origin}/replay/w/${names[source]}/${time}mp_/${urn.replace(/#/g, '%23')}`,
  );
  return { status: answer.status, body: await answer.arrayBuffer() };
}

addEventListener('message', async ({ data, origin, source: asker }) => {
  if (asker !== parent || data?.type !== 'record') return;
  const answer = await read(data).catch(() => ({ status: 0, body: new ArrayBuffer(0) }));
  parent.postMessage({ type: 'record', id: data.id, ...answer }, origin, [answer.body]);
});
// Who frames this page is not known yet; this says no more than that it is there.
parent.postMessage({ type: 'ready' }, '*');
