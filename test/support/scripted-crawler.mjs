/**
 * A crawler without a browser for tests of the local driver: it keeps the files and speaks the messages of
 * crawler/protocol.ts, and takes its script from the query of the first seed:
 *   pages=N      pages it finds (3)            ms=N        time of one page (20)
 *   crash=CODE   exits so before its 2nd page, once, or `crash=CODE&always=1` each time
 *   dead=CODE    exits so before its first page             packs=0     dies when it is to pack
 *   silent=1     ignores cancel, stop and quit              segment=N   pages in each WACZ (all in one)
 *   fail=1       every page fails, exit 9                   refuse=1    exit 4
 *   badhash=1    announces a wrong hash                     profile=1   writes a profile back
 *   badsize=N    announces N bytes more than there are      holds=N     has a file of N bytes, none of them on disk
 *   body=DIGEST  asks for originals of it after its first page, and needs those that it is told of
 *
 * In a container its queue is the one in Redis that the real crawler has (crawler/crawl/shared-frontier.ts, built).
 */
import { createHash, randomUUID } from 'node:crypto';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';

const state = {
  config: null,
  queue: [],
  done: 0,
  found: 0,
  stop: null,
  windows: 1,
  seq: 0,
  casting: false,
  waiting: new Set(),
  segment: '',
  inSegment: 0,
  excluded: [],
  /** The queue shared with other instances; null outside containers. */
  shared: null,
};
let busy;

process.on('message', (message) => receive(message));
process.on('disconnect', () => {
  if (!state.config?.silent) process.exit(11);
});

function receive(message) {
  if (message.t === 'start') void run(message);
  else if (message.t === 'stored') state.waiting.delete(message.file);
  else if (message.t === 'setWindows') state.windows = message.n;
  else if (message.t === 'cast') state.casting = message.on;
  else if (message.t === 'exclude') exclude(message);
  else if (['ping', 'navigate', 'commit', 'input'].includes(message.t)) profileBrowser(message);
  else if (message.t === 'queue') reply(message);
  else if (message.t === 'originals') needs(message);
  else if (['pause', 'stop', 'quit', 'cancel'].includes(message.t) && !script().get('silent')) {
    state.stop = message.t;
    if (message.t === 'cancel') exit('canceled', 0);
  }
}

function script() {
  return new URL(state.config?.config.seeds?.[0]?.url ?? 'http://none/').searchParams;
}

function exclude({ add, regex }) {
  if (!add) return;
  const re = new RegExp(regex);
  if (state.shared) return void state.shared.drop((url) => re.test(url)).then(stats);
  const kept = state.queue.filter(({ url }) => !re.test(url));
  for (const page of state.queue) if (!kept.includes(page)) line('state.jsonl', { t: 'dropped', pageId: page.pageId });
  state.found -= state.queue.length - kept.length;
  state.queue = kept;
  line('state.jsonl', { t: 'exclusion', add, regex });
  stats();
}

function needs({ rid, found }) {
  if (rid !== 7) return;
  for (const { itemId } of found) journal({ t: 'original', itemId });
  state.answered = true;
}

function reply({ rid, offset, count }) {
  const urls = state.queue.slice(offset, offset + count).map(({ url }) => url);
  send({ t: 'reply', rid, kind: 'queue', total: state.queue.length, urls, matched: [] });
}

async function run({ config, resume, packageOnly }) {
  state.config = config;
  for (const folder of ['archive', 'out', 'logs']) mkdirSync(folder, { recursive: true });
  if (existsSync('events.jsonl')) state.seq = lines('events.jsonl').length;
  send({ t: 'hello', pid: process.pid, browserVersion: 'scripted' });
  if (config.mode === 'profile') return showPage(config.url);
  if (config.shared) await openShared(config);
  const { dead, packs } = Object.fromEntries(script());
  if (packageOnly ? packs : dead) return exit('error', Number(dead ?? 1));
  if (packageOnly) {
    load();
    stats();
    return finish(packageOnly);
  }
  if (script().get('refuse')) return exit('config_refused', 4);
  state.windows = config.windows;
  if (script().get('holds')) {
    writeFileSync('archive/held', '');
    truncateSync('archive/held', Number(script().get('holds')));
  }
  writeFileSync('environment.json', JSON.stringify({ env: process.env, uid: process.getuid() }));
  if (resume) load();
  else if (!state.shared) seed();
  if (state.shared) await seedShared();
  send({ t: 'state', status: 'running' });
  stats();
  await visitAll();
}

function showPage(url) {
  state.url = url;
  state.origins = [...new Set([...(state.origins ?? []), `${new URL(url).origin}/`])];
  send({ t: 'state', status: 'running' });
  frame({ id: 0, url, width: 1280, height: 720 });
}

function frame(about) {
  if (state.casting) send({ t: 'frame', data: 'aGVsbG8=', ...about });
}

function profileBrowser({ t, rid, url, event }) {
  const about = { id: 0, url: state.url, width: 1280, height: 720 };
  if (t === 'ping') send({ t: 'reply', rid, kind: 'ping', origins: state.origins, url: state.url, title: '' });
  if (t === 'input') frame({ ...about, url: `input:${event.type}` });
  if (t === 'navigate') {
    showPage(url);
    send({ t: 'reply', rid, kind: 'navigate' });
  }
  if (t === 'commit') {
    const base = existsSync('profile.tar.gz') ? readFileSync('profile.tar.gz') : Buffer.alloc(0);
    const bytes = Buffer.concat([base, Buffer.from(`visited ${state.origins.join()}`)]);
    const file = {
      kind: 'profile',
      file: 'profile.tar.gz',
      pages: 0,
      size: bytes.length,
      hash: createHash('sha256').update(bytes).digest('hex'),
      modified: new Date().toISOString(),
    };
    writeFileSync('out/profile.tar.gz', bytes);
    send({ t: 'reply', rid, kind: 'commit', file, origins: state.origins });
  }
}

function seedUrls() {
  const count = Number(script().get('pages') ?? 3);
  const base = new URL(state.config.config.seeds[0].url);
  return Array.from({ length: count }, (_, i) => (i === 0 ? base.href : new URL(`/page-${i}`, base).href));
}

function seed() {
  for (const [i, url] of seedUrls().entries()) {
    const entry = {
      t: 'queued',
      url,
      pageId: randomUUID(),
      depth: i === 0 ? 0 : 1,
      hops: 0,
      seedId: 0,
      at: Date.now(),
      ...(i === 0 ? { seed: true } : {}),
    };
    line('state.jsonl', entry);
    state.queue.push(entry);
  }
  state.found = state.queue.length;
}

function load() {
  const entries = lines('state.jsonl');
  const finished = new Set(entries.filter(({ t }) => t === 'done').map(({ pageId }) => pageId));
  const excluded = entries.filter(({ t }) => t === 'exclusion').map(({ regex }) => new RegExp(regex));
  const queued = entries.filter(({ t, url }) => t === 'queued' && !excluded.some((re) => re.test(url)));
  state.found = queued.length;
  state.done = finished.size;
  state.queue = queued.filter(({ pageId }) => !finished.has(pageId));
  state.segment = entries.filter(({ t }) => t === 'segment').at(-1)?.wacz ?? '';
  if (entries.some(({ t, wacz }) => t === 'packed' && wacz === state.segment)) state.segment = '';
}

async function openShared({ jobId, shared }) {
  const { SharedFrontier } = await import(new URL('../../dist/crawler/crawl/shared-frontier.js', import.meta.url));
  const over = new Set(
    lines('state.jsonl')
      .filter(({ t }) => t === 'done')
      .map(({ pageId }) => pageId),
  );
  const log = {
    append: (entry) => Promise.resolve(line('state.jsonl', entry)),
    sync: () => Promise.resolve(),
  };
  const quiet = { warn: () => undefined };
  state.shared = new SharedFrontier(
    { jobId, shared, limit: 0, restored: { over, done: over }, onRedirect: () => undefined },
    log,
    quiet,
  );
  await state.shared.open();
}

async function seedShared() {
  if (await state.shared.isSeeded()) return;
  const pages = seedUrls().map((url, i) => ({
    url,
    depth: i === 0 ? 0 : 1,
    hops: 0,
    seedId: 0,
    seed: i === 0,
    allowHash: true,
  }));
  await state.shared.add(pages);
  await state.shared.markSeeded();
}

/** As many pages as there are windows; none once nothing is left at any instance. */
async function nextPages() {
  if (!state.shared) return state.queue.splice(0, state.windows);
  try {
    for (;;) {
      const taken = [];
      while (taken.length < state.windows) {
        const page = await state.shared.take();
        if (!page) break;
        taken.push(page);
      }
      if (taken.length > 0 || state.shared.isExhausted || state.stop) return taken;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  } catch (error) {
    if (error.name !== 'QueueLost') throw error;
    exit('store_lost', 8);
    return [];
  }
}

async function visitAll() {
  while (!state.stop) {
    const pages = await nextPages();
    if (pages.length === 0) break;
    await Promise.all(pages.map(visit));
    stats();
  }
  if (busy) return;
  if (state.stop === 'quit') return exit('quit', 11);
  if (script().get('fail')) return exit('failed', 9);
  await finish(state.stop === 'pause' ? 'paused' : state.stop === 'stop' ? 'stopped' : 'finished');
}

async function visit(page) {
  const crash = script().get('crash');
  if (crash && state.done > 0 && (script().get('always') || !existsSync('crashed'))) {
    writeFileSync('crashed', '');
    exit('error', Number(crash));
  }
  await new Promise((resolve) => setTimeout(resolve, Number(script().get('ms') ?? 20)));
  if (state.casting) send({ t: 'frame', id: 0, url: page.url, data: 'aGVsbG8=', width: 1920, height: 1080 });
  if (!state.segment) {
    state.segment = `${Date.now()}-${state.config.jobId.slice(-8)}-0.wacz`;
    line('state.jsonl', { t: 'segment', wacz: state.segment, index: 0 });
  }
  const loadState = script().get('fail') ? 0 : 4;
  appendFileSync('archive/data.warc.gz', `${page.url}\n`.repeat(100));
  const row = {
    id: page.pageId,
    url: page.url,
    title: 'scripted',
    loadState,
    ts: new Date().toISOString(),
    mime: 'text/html',
    status: 200,
    depth: page.depth,
    filename: state.segment,
    ...(page.seed ? { seed: true } : {}),
  };
  journal({ t: 'page', row });
  journal({
    t: 'log',
    list: 'behavior',
    line: { timestamp: row.ts, logLevel: 'info', context: 'behavior', message: 'done', details: { url: page.url } },
  });
  if (state.shared) await state.shared.finish(page);
  else line('state.jsonl', { t: 'done', pageId: page.pageId });
  if (script().get('body') && state.config.asksOriginals && state.done === 0) {
    send({ t: 'askOriginals', rid: 7, digests: [script().get('body')] });
    while (!state.answered) await new Promise((resolve) => setTimeout(resolve, 10));
  }
  state.done += 1;
  state.inSegment += 1;
  if (state.inSegment >= Number(script().get('segment') ?? Infinity)) pack();
}

function pack() {
  if (!existsSync('archive/data.warc.gz') || statSync('archive/data.warc.gz').size === 0) return;
  const name = state.segment || `${Date.now()}-late-0.wacz`;
  const bytes = readFileSync('archive/data.warc.gz');
  announce({ kind: 'wacz', file: name, pages: state.inSegment }, bytes, 'wacz');
  line('state.jsonl', { t: 'packed', wacz: name });
  rmSync('archive/data.warc.gz');
  state.segment = '';
  state.inSegment = 0;
}

function announce(about, bytes, t) {
  const hash = script().get('badhash') ? '0'.repeat(64) : createHash('sha256').update(bytes).digest('hex');
  const file = {
    ...about,
    size: bytes.length + Number(script().get('badsize') ?? 0),
    hash,
    modified: new Date().toISOString(),
  };
  writeFileSync(`out/${file.file}`, bytes);
  writeFileSync(`out/${file.file}.json`, JSON.stringify(file));
  journal({ t, file });
}

async function finish(reason) {
  send({ t: 'state', status: 'generate-wacz' });
  pack();
  if (script().get('profile') && reason === 'finished')
    announce({ kind: 'profile', file: 'profile.tar.gz', pages: 0 }, Buffer.from('profile'), 'profile');
  send({ t: 'state', status: 'uploading-wacz' });
  while (readdirSync('out').some((name) => !name.endsWith('.json'))) {
    stats();
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  exit(reason, 0);
}

function exit(reason, code) {
  if (busy) return;
  busy = true;
  stats();
  if (reason === 'error') process.exit(code);
  process.send({ v: 1, t: 'exit', reason }, () => process.exit(code));
}

function journal(entry) {
  state.seq += 1;
  line('events.jsonl', { seq: state.seq, ...entry });
  send({ seq: state.seq, ...entry });
}

function stats() {
  send({
    t: 'stats',
    found: state.found,
    done: state.done,
    failed: 0,
    pendingBytes: 0,
    rateLimited: false,
    windows: state.windows,
    memoryBytes: process.memoryUsage().rss,
  });
}

function send(message) {
  if (process.connected) process.send({ v: 1, ...message });
}

function line(name, value) {
  appendFileSync(name, `${JSON.stringify(value)}\n`);
}

function lines(name) {
  if (!existsSync(name)) return [];
  return readFileSync(name, 'utf8')
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => JSON.parse(text));
}
