/** How evenly the console's long lists scroll in Chromium; see USAGE. */
import { createRequire } from 'node:module';
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import mongoose from 'mongoose';
import { findChromium } from '../scripts/provision/chromium.mjs';
import { fillArchive } from './lib/archive.mjs';
import { helpOr, load, ms, option, print } from './lib/command.mjs';
import { ADMIN, startService, tokenOf } from './lib/service.mjs';

const USAGE = `
npm run build && node bench/console-lists.mjs [--slowdown 1] [--pictures FOLDER]

Starts the product with 10,000 archived items, one of them with 10,000 pages, a QA run and 10,000 lines of its log, and
opens the console's lists of them in Chromium: each is scrolled by the wheel from its top to its end and back, and then
turned to its next page five times. Told are the longest time between two frames while scrolling (goal: none over
50 ms) and while turning, and how many frames there were. --slowdown slows the CPU down so many times,
--pictures leaves a picture of each list in a folder.
`;
const COUNT = 10_000;
const MOST_MS = 50;
const STEP = 300;
const STEPS = 40;
const TURNS = 5;

helpOr(USAGE);
const slowdown = Number(option('slowdown', 1));
const pictures = option('pictures', null);
const { UUID } = mongoose.mongo;
const { chromium } = createRequire(import.meta.url)('playwright-core');
const service = await startService();
const origin = service.url.replace(/\/api$/, '');
const browser = await chromium.launch({
  executablePath: await findChromium(),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
});
try {
  const headers = await tokenOf(service.url, ADMIN);
  const token = headers.authorization.replace('Bearer ', '');
  const { items } = await (await fetch(`${service.url}/orgs`, { headers })).json();
  const [{ id: oid, slug }] = items;
  const { item, cid } = await filled(oid, headers);
  const lists = [
    ['archived items', `/o/${slug}/items`],
    ['pages of an item', `/o/${slug}/items/${item}?tab=pages`],
    ['log of an item', `/o/${slug}/items/${item}?tab=logs`],
    ['log beside a workflow', `/o/${slug}/workflows/${cid}?tab=logs`],
    ['QA of an item', `/o/${slug}/items/${item}/qa`],
    ['review of an item', `/o/${slug}/items/${item}/review`],
    ['collections', `/o/${slug}/collections`],
  ];
  for (const list of lists) print(await told(token, list));
  print(load());
} finally {
  await browser.close();
  await service.stop();
}

/** The items, and the workflow that made the first of them. */
async function filled(oid, headers) {
  const response = await fetch(`${service.url}/orgs/${oid}/crawlconfigs/`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'The first', config: { seeds: [{ url: 'https://example.com/' }] } }),
  });
  const { id: cid } = await response.json();
  const { item } = await fillArchive(service.mongoUrl, {
    ...{ name: service.db.databaseName, oid, crawls: COUNT, uploads: 100, collections: 200 },
    ...{ pages: 2 * COUNT, big: { items: 1, pages: COUNT } },
  });
  const at = new Date();
  const crawl = { cid: new UUID(cid), started: at, finished: at, state: 'complete' };
  await service.db.collection('crawls').updateOne({ _id: item }, { $set: crawl });
  const last = { lastCrawlId: item, lastCrawlState: 'complete', lastCrawlTime: at, crawlCount: 1 };
  await service.db.collection('crawl_configs').updateOne({ _id: new UUID(cid) }, { $set: last });
  await service.db.collection('crawl_logs').insertMany(
    Array.from({ length: COUNT }, (_, n) => ({
      ...{ _id: new UUID(randomUUID()), crawlId: item, oid: new UUID(oid), qaRunId: null, errorNo: n },
      ...{ timestamp: new Date(at - (COUNT - n) * 1000), logLevel: n % 3 ? 'warn' : 'error', context: 'pageStatus' },
      ...{ message: 'Page Load Failed', details: { page: `https://site0.example/${n}`, workerid: n % 4, status: 404 } },
    })),
  );
  return { item, cid };
}

async function told(token, [name, address]) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: 'en-GB' });
  const page = await context.newPage();
  await page.addInitScript((kept) => {
    localStorage.setItem('muniment.session', kept);
    sessionStorage.setItem('muniment.session', kept);
  }, token);
  const cdp = await context.newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await page.goto(origin + address);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  // Lists come after the heading of their page.
  await delay(2500);
  if (pictures) await page.screenshot({ path: `${pictures}/${name}.png` });
  const place = await page.evaluate(longest);
  await page.mouse.move(place.x, place.y);
  const scrolled = await framesWhile(page, async () => {
    for (const direction of [1, -1])
      for (let step = 0; step < STEPS; step++) {
        await page.mouse.wheel(0, direction * STEP);
        await delay(16);
      }
  });
  const next = page.getByRole('button', { name: 'Next page' }).first();
  let turned = null;
  if ((await next.count()) > 0)
    turned = await framesWhile(page, async () => {
      for (let turn = 0; turn < TURNS && (await next.isEnabled()); turn++) {
        await next.click();
        await delay(400);
      }
    });
  await context.close();
  const rows = `${place.rows} rows, ${place.height} px`;
  return `${name} (${rows}): scrolling ${shown(scrolled)}${turned ? `; turning ${shown(turned)}` : ''}`;
}

function shown({ worst, over, count }) {
  return `longest frame ${ms(worst)}, ${over} of ${count} over ${MOST_MS} ms`;
}

/** Where the wheel finds most to scroll. */
function longest() {
  const boxes = [document.scrollingElement, ...document.querySelectorAll('main *')].filter(
    (element) =>
      element === document.scrollingElement ||
      (/auto|scroll/.test(getComputedStyle(element).overflowY) && element.scrollHeight > element.clientHeight + 20),
  );
  const box = boxes.sort((a, b) => b.scrollHeight - b.clientHeight - (a.scrollHeight - a.clientHeight))[0];
  const { left, top, width, height } = box.getBoundingClientRect();
  const rows = document.querySelectorAll('tbody tr, [role=log] > div, main li').length;
  return {
    x: left + Math.min(width, innerWidth) / 2,
    y: Math.min(Math.max(top, 0) + Math.min(height, innerHeight) / 2, innerHeight - 50),
    ...{ rows, height: box.scrollHeight },
  };
}

/** Times between frames, by the page's own clock. */
async function framesWhile(page, work) {
  await page.evaluate(() => {
    const times = (globalThis.frameTimes = []);
    const look = (now) => {
      times.push(now);
      globalThis.frameLook = requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
  });
  await work();
  const times = await page.evaluate(() => {
    cancelAnimationFrame(globalThis.frameLook);
    return globalThis.frameTimes;
  });
  const gaps = times.slice(1).map((time, n) => time - times[n]);
  return { worst: Math.max(...gaps), over: gaps.filter((gap) => gap > MOST_MS).length, count: gaps.length };
}
