/** Figures of the web console in Chromium; see USAGE. */
import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { findChromium } from '../scripts/provision/chromium.mjs';
import { ascending, helpOr, load, median, ms, option, print } from './lib/command.mjs';
import { startProduct } from './lib/product.mjs';

const USAGE = `
npm run build && node bench/console.mjs [--runs 5]

Starts the product and opens its console in Chromium with an empty cache: bytes of script and style as sent until the
log-in page and until the dashboard stand, Largest Contentful Paint of both with the CPU slowed down four times, and
the time from a click on a place in the menu to its heading, once the page's data are cached.
`;
const SLOWDOWN = 4;
const QUIET_MS = 500;
const SETTLED_MS = 3000;
const PLACES = ['Workflows', 'Archived items', 'Collections', 'Uploads', 'Dashboard'];

helpOr(USAGE);
const runs = Number(option('runs', 5));
const { chromium } = createRequire(import.meta.url)('playwright-core');
const product = await startProduct();
const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
try {
  const logIn = { name: 'log-in page', path: '/', shown: (page) => page.getByRole('button', { name: 'Log in' }) };
  const { slug } = await product.call('GET', `/orgs/${product.oid}`);
  const dashboard = { name: 'dashboard', path: `/o/${slug}`, token: product.token, shown: (page) => heading(page) };
  for (const place of [logIn, dashboard]) {
    const plain = await opened(place, 1);
    print(`${place.name}: ${kB(plain.script)} of script, ${kB(plain.style)} of style as sent, ${plain.files} files`);
    const slow = [];
    for (let run = 0; run < runs; run++) slow.push((await opened(place, SLOWDOWN)).paint);
    const [best, worst] = [ascending(slow)[0], ascending(slow).at(-1)];
    print(`${place.name}: largest paint at 1/${SLOWDOWN} CPU median ${ms(median(slow))}, ${ms(best)} to ${ms(worst)}`);
  }
  print(`route change on cached data: ${await routeChanges(dashboard)}`);
  print(load());
} finally {
  await browser.close();
  await product.stop();
}

function heading(page) {
  return page.getByRole('heading', { level: 1 }).first();
}

function kB(bytes) {
  return `${(bytes / 1000).toFixed(0)} kB`;
}

/** A page in a browser that has nothing cached. */
async function visitor({ token }) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-GB' });
  const page = await context.newPage();
  if (token)
    await page.addInitScript((kept) => {
      // Where replay has no origin of its own, the login is the tab's.
      localStorage.setItem('muniment.session', kept);
      sessionStorage.setItem('muniment.session', kept);
    }, token);
  return { context, page, quiet: quietOf(page) };
}

/** Resolves when nothing was under way for a moment. The stream of the org, which never ends, is no loading. */
function quietOf(page) {
  const underWay = new Set();
  let endedAt = performance.now();
  const isLoading = (request) => !request.url().endsWith('/stream');
  page.on('request', (request) => isLoading(request) && underWay.add(request));
  for (const end of ['requestfinished', 'requestfailed'])
    page.on(end, (request) => {
      if (underWay.delete(request)) endedAt = performance.now();
    });
  return async () => {
    while (underWay.size > 0 || performance.now() - endedAt < QUIET_MS) await delay(50);
  };
}

async function opened(place, slowdown) {
  const { context, page, quiet } = await visitor(place);
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  // Chromium loads what its own windows show beside the first page of each, on the same cores.
  await delay(SETTLED_MS);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  const sent = { script: 0, style: 0, files: 0 };
  const kinds = new Map();
  cdp.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
  cdp.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    const kind = { Script: 'script', Stylesheet: 'style' }[kinds.get(requestId)];
    if (!kind) return;
    sent[kind] += encodedDataLength;
    sent.files++;
  });
  await page.goto(product.url + place.path);
  await place.shown(page).waitFor();
  await quiet();
  const paint = await page.evaluate(
    () =>
      new Promise((resolve) => {
        new PerformanceObserver((list) => resolve(list.getEntries().at(-1).startTime)).observe({
          type: 'largest-contentful-paint',
          buffered: true,
        });
      }),
  );
  await context.close();
  return { ...sent, paint };
}

/** Each place is opened once, so that its code and data are there; then again, timed in the page itself. */
async function routeChanges(place) {
  const { context, page, quiet } = await visitor(place);
  await page.goto(product.url + place.path);
  await heading(page).waitFor();
  const times = [];
  for (let round = 0; round <= runs; round++)
    for (const name of PLACES) {
      const link = page.getByRole('navigation').getByRole('link', { name, exact: true });
      await link.hover();
      const took = await link.evaluate(timed);
      await quiet();
      if (round > 0) times.push(took);
    }
  await context.close();
  const sorted = ascending(times);
  return `median ${ms(median(times))}, worst ${ms(sorted.at(-1))} of ${times.length}`;
}

/** Clicks, and resolves with the milliseconds until another heading is painted. */
function timed(link) {
  const title = () => document.querySelector('h1')?.textContent;
  const before = title();
  const start = performance.now();
  link.click();
  return new Promise((resolve) => {
    const look = () => {
      const now = title();
      if (now && now !== before) requestAnimationFrame(() => resolve(performance.now() - start));
      else requestAnimationFrame(look);
    };
    look();
  });
}
