/**
 * Whether a crawl slows down with its queue: one page links to thousands, each is visited.
 * `npm run build && node bench/queue.mjs [pages] [windows]` (default: 2,000 and 6)
 */
import { createServer } from 'node:http';
import { once } from 'node:events';
import { helpOr, load, print } from './lib/command.mjs';
import { treeCpuSeconds } from './lib/cpu.mjs';
import { startProduct, until } from './lib/product.mjs';

helpOr(`
node bench/queue.mjs [pages] [windows]: crawls a page with that many links and everything it links to (default: 2,000 and
6; 10,000 take about 20 minutes), through the service, without behaviors; pages/min and CPU time of a page, of every tenth
of the crawl.
`);
const PAGES = Number(process.argv[2] ?? 2_000);
const WINDOWS = Number(process.argv[3] ?? 6);
const PART = Math.max(1, Math.floor(PAGES / 10));
const HOURS = 3;

const product = await startProduct({ ALLOW_PRIVATE_ADDRESSES: 'crawls', CRAWL_DRIVER: 'local', LOG_LEVEL: 'warn' });
const marks = new Map();
let asked = 0;

/** Every part of the crawl begins with the request of its first page. */
function mark() {
  const { own, below } = treeCpuSeconds(product.pid);
  marks.set(asked, { at: performance.now(), service: own, crawl: below });
}

const links = Array.from({ length: PAGES }, (_, n) => `<a href="/page/${n}">Page ${n}</a>`).join('\n');
const site = createServer(({ url }, response) => {
  const page = /^\/page\/(\d+)$/.exec(url)?.[1];
  if (page !== undefined) {
    if (asked % PART === 0) mark();
    asked += 1;
    if (asked === PAGES) mark();
  } else if (url !== '/') return void response.writeHead(404).end();
  response.writeHead(200, { 'Content-Type': 'text/html' });
  response.end(`<title>${url}</title><h1>${url}</h1>${page === undefined ? links : `<p>Text of page ${page}</p>`}`);
});

function figure(title, from, to) {
  const [start, end] = [marks.get(from), marks.get(to)];
  const seconds = (end.at - start.at) / 1000;
  const pages = to - from;
  const rate = (pages * 60) / seconds;
  const cpu = (end.crawl - start.crawl) / pages;
  const service = (end.service - start.service) / pages;
  const ms = (value) => (value * 1000).toFixed(1);
  print(
    `${title} ${pages} pages: ${rate.toFixed(1)} pages/min; CPU of a page: crawler and browser ${ms(cpu)} ms, ` +
      `service ${ms(service)} ms`,
  );
  return { rate, cpu };
}

site.listen(0, '127.0.0.1');
await once(site, 'listening');
try {
  const seed = `http://127.0.0.1:${site.address().port}/`;
  const config = { seeds: [{ url: seed }], scopeType: 'prefix', behaviors: '', limit: PAGES + 1, extraHops: 0 };
  const body = { name: 'A long queue', config, browserWindows: WINDOWS, runNow: true };
  const { run_now_job: crawl } = await product.call('POST', `/orgs/${product.oid}/crawlconfigs/`, body);
  await until(() => asked >= PAGES, HOURS * 3_600_000);
  for (let from = PART; from + PART < PAGES; from += PART) figure(`from ${from}:`, from, from + PART);
  const first = figure('first', 0, PART);
  const last = figure('last', PAGES - PART, PAGES);
  const percent = (share) => `${((share - 1) * 100).toFixed(1)} %`;
  print(`last against first: pages/min ${percent(last.rate / first.rate)}, CPU ${percent(last.cpu / first.cpu)}`);
  const finished = () => product.call('GET', `/orgs/${product.oid}/crawls/${crawl}/replay.json`);
  await until(async () => (await finished()).state === 'complete', 600_000);
  const { pageCount } = await finished();
  if (pageCount !== PAGES + 1) throw new Error(`${pageCount} pages instead of ${PAGES + 1}`);
  print(`${WINDOWS} windows, ${load()}`);
} finally {
  await product.stop();
  site.close();
}
