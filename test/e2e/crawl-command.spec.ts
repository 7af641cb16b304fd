import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { jest } from '@jest/globals';
import type { Frame, Page } from 'playwright-core';
import { kill } from '../../src/drivers/local/processes.js';
import { launchBrowser, openPage } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { freePort } from '../support/free-port.js';
import { HeldSite } from '../support/held-site.js';
import { nothingLeft, Product, processesOf, temporaryDataDir } from '../support/product.js';
import { faultsOfArchive, storedWaczs } from '../support/replayed.js';
import { startTestSite, type TestSite } from '../support/site/site.js';
import { faultsOf, WaczFile } from '../support/wacz-file.js';

const CRAWL_MS = 180_000;
/** Of `/lazy.html`. */
const LAZY_PICTURES = 12;
/** Loopback targets are refused unless opened. */
const ENV = { ALLOW_PRIVATE_ADDRESSES: 'crawls' };

let site: TestSite;
let data: Awaited<ReturnType<typeof temporaryDataDir>>;
let port: string;
let products: Product[];
let heldSites: HeldSite[];

const launch = (...args: string[]): Product => {
  const product = Product.launch(data.dir, ['--port', port, ...args], ENV);
  products.push(product);
  return product;
};
/** A crawl of twelve pages that does not come to its end before its site is opened. */
async function crawlInItsMiddle(): Promise<{ product: Product; held: HeldSite }> {
  const links = Array.from({ length: 11 }, (_, i) => `/page/${String(i)}`);
  const held = await HeldSite.start({ '/': links, ...Object.fromEntries(links.map((link) => [link, []])) });
  heldSites.push(held);
  const product = launch('--crawl', `${held.url}/`, '--scope', 'host', '--windows', '1', '--exit');
  for (let page = 0; page < 2; page += 1) {
    await eventually(() => expect(held.waiting).toHaveLength(1), CRAWL_MS);
    held.release();
  }
  await product.prints(/\] [1-9]\d*\/\d+ pages .* running/);
  return { product, held };
}
const found = (product: Product, pattern: RegExp): string => pattern.exec(product.output)?.[1] ?? '';

beforeEach(async () => {
  site = await startTestSite();
  data = await temporaryDataDir();
  port = String(await freePort());
  [products, heldSites] = [[], []];
});

/** What the crawls left in the store. */
const storedFaults = async (): Promise<string[]> => {
  const waczs = await storedWaczs(data.dir);
  expect(waczs).toHaveLength(1);
  return faultsOfArchive(waczs);
};

afterEach(async () => {
  for (const product of products) await product.interrupt();
  for (const line of await processesOf(data.dir)) kill(Number.parseInt(line, 10), 'SIGKILL');
  for (const held of heldSites) await held.close();
  await site.close();
  await data.remove();
});

describe('npm run up -- --crawl', () => {
  jest.setTimeout(420_000);

  it('ends with a WACZ that the validators pass and a link that replays it in a browser', async () => {
    const original = await inBrowser((page) => textOf(page, `${site.url}/lazy.html`));
    const product = launch('--crawl', `${site.url}/`, '--scope', 'host', '--limit', '8', '--windows', '2');
    await product.prints(/Replay: \S+/);
    expect(product.output).toContain('Done: 8 pages (complete).');
    const file = found(product, /WACZ: +(\S+)/);
    expect(await faultsOf(file)).toEqual([]);
    expect(new WaczFile(file).pages).toHaveLength(8);

    await site.close(); // what is shown from here on comes from the archive
    const link = `${found(product, /Replay: (\S+)/)}&url=${encodeURIComponent(`${site.url}/lazy.html`)}`;
    const secrets = JSON.parse(await readFile(path.join(data.dir, 'secrets.json'), 'utf8')) as Record<string, string>;
    const { held, ...replayed } = await inBrowser(async (page) => {
      const shown = await replay(page, link, secrets.superuserPassword ?? '');
      return { ...shown, held: await heldBy(replayFrame(page)) };
    });
    expect(replayed).toEqual(original);

    // What archived scripts find opens this crawl's pages and nothing else, also when the console led here.
    const home = await inBrowser((page) => replayFromHome(page, link, secrets.superuserPassword ?? ''));
    expect(home.readsConsole).toBe(false);
    for (const found of [held, home.held]) {
      const tokens = [...new Set(found.match(/[\w-]{10,}\.[\w-]{10,}\.[\w-]{10,}/g) ?? [])];
      expect(tokens).toHaveLength(1);
      expect(await statuses(link, tokens[0] ?? '')).toEqual([200, 401, 401, 401]);
    }
  });

  it('uses the service that is running, and leaves it running', async () => {
    const service = launch();
    await service.ready();
    const crawl = launch('--crawl', `${site.url}/js.html`, '--scope', 'page');
    expect(await crawl.exit()).toBe(0);
    expect(crawl.output).toContain('Done: 1 pages (complete).');
    expect(service.isRunning).toBe(true);
    expect(await storedFaults()).toEqual([]);
  });

  it('with --exit ends what it has started, and leaves nothing', async () => {
    const product = launch('--crawl', `${site.url}/js.html`, '--scope', 'page', '--exit');
    expect(await product.exit()).toBe(0);
    await nothingLeft(data.dir);
    expect(await storedFaults()).toEqual([]);
  });

  it('says why nothing could be crawled, with exit code 1', async () => {
    await site.close();
    const product = launch('--crawl', `${site.url}/`, '--scope', 'page', '--exit');
    expect(await product.exit()).toBe(1);
    expect(product.output).toContain('The crawl ended as failed.');
    expect(product.output).toMatch(/ERR_CONNECTION_REFUSED|ECONNREFUSED|Page Load|refused/i);
  });

  it('goes on to its end when the service is killed in the middle', async () => {
    const { product, held } = await crawlInItsMiddle();
    process.kill((await product.processes()).api, 'SIGKILL');
    held.open();
    await product.prints(/The service is back/);
    expect(await product.exit()).toBe(0);
    expect(product.output).toContain('Done: 12 pages (complete).');
    expect(await storedFaults()).toEqual([]);
  });

  it('goes on to its end when the browser is killed in the middle', async () => {
    const { product, held } = await crawlInItsMiddle();
    const browsers = (await processesOf(data.dir)).filter(
      (line) => /user-data-dir/.test(line) && !/--type=/.test(line),
    );
    expect(browsers).not.toEqual([]);
    for (const line of browsers) kill(Number.parseInt(line, 10), 'SIGKILL');
    held.open();
    expect(await product.exit()).toBe(0);
    expect(product.output).toContain('Done: 12 pages (complete).');
    expect(await storedFaults()).toEqual([]);
  });
});

async function inBrowser<T>(work: (page: Page) => Promise<T>): Promise<T> {
  const browser = await launchBrowser();
  try {
    return await work(await openPage(browser, { viewport: { width: 1280, height: 900 } }));
  } finally {
    await browser.close();
  }
}

interface Seen {
  title: string;
  text: string;
  /** Pictures that show something. */
  pictures: number;
}

/** The answers to reading this crawl for replay, the account and the org's items, and to a change of the crawl. */
async function statuses(link: string, token: string): Promise<number[]> {
  const { origin, searchParams } = new URL(link);
  const [oid = '', crawl = ''] = ['oid', 'crawl'].map((name) => searchParams.get(name) ?? '');
  const status = async (route: string, method = 'GET') =>
    (await fetch(`${origin}/api${route}`, { method, headers: { Authorization: `Bearer ${token}` } })).status;
  return [
    await status(`/orgs/${oid}/all-crawls/${crawl}/replay.json`),
    await status('/users/me'),
    await status(`/orgs/${oid}/all-crawls`),
    await status(`/orgs/${oid}/crawls/${crawl}`, 'PATCH'),
  ];
}

/** Logs in at the start page and goes to the crawl by the console's own links. */
async function replayFromHome(page: Page, link: string, password: string) {
  await page.goto(new URL(link).origin);
  await logIn(page, password);
  await page.getByRole('link', { name: 'Archived items', exact: true }).click();
  await page.getByRole('table').getByRole('link').first().click();
  await page.getByRole('tab', { name: 'Replay' }).click();
  await eventually(() => {
    if (!page.frames().some((each) => each.url().includes('mp_/'))) throw new Error('the player shows nothing');
  });
  const readsConsole = await replayFrame(page).evaluate(() => {
    try {
      return window.top?.document !== undefined;
    } catch {
      return false;
    }
  });
  return { held: await heldBy(replayFrame(page)), readsConsole };
}

/** The page of the replay origin in the console, on whose origin archived scripts run. */
function replayFrame(page: Page): Frame {
  const console = new URL(page.url()).origin;
  const frame = page.mainFrame().childFrames()[0];
  if (!frame || new URL(frame.url()).origin === console) throw new Error('no frame of another origin');
  return frame;
}

async function logIn(page: Page, password: string): Promise<void> {
  await page.getByLabel('Email').fill('admin@example.com');
  await page.fill('input[name=password]', password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

/** All that a script of the page's origin can read: both storages, the address, the document, every global string. */
async function heldBy(page: Frame): Promise<string> {
  return page.evaluate(() => {
    const globals = Object.entries(window).filter(([, value]) => typeof value === 'string');
    const roots = [document.documentElement, ...document.querySelectorAll('*')];
    const shadows = roots.map((element) => element.shadowRoot?.innerHTML ?? '');
    const storages = [sessionStorage, localStorage].map((storage) => JSON.stringify(storage));
    return [
      location.href,
      document.cookie,
      document.documentElement.outerHTML,
      ...shadows,
      ...storages,
      JSON.stringify(globals),
    ]
      .join('\n')
      .replace(/X-Amz-[^"&]*/g, '');
  });
}

async function textOf(page: Page, url: string): Promise<Seen> {
  await page.goto(url, { waitUntil: 'load' });
  return seen(page.mainFrame());
}

async function replay(page: Page, link: string, password: string): Promise<Seen> {
  await page.goto(link);
  await logIn(page, password);
  const frame = await eventually(() => {
    // The player shows the archived page in a frame under its own replay prefix.
    const shown = page.frames().find((each) => each.url().endsWith(`mp_/${site.url}/lazy.html`));
    if (!shown)
      throw new Error(
        `frames: ${page
          .frames()
          .map((each) => each.url())
          .join(' ')}`,
      );
    return shown;
  });
  await frame.waitForLoadState('load');
  return seen(frame);
}

/** Scrolls through until all pictures are there: each begins to load when it comes into view. */
async function seen(frame: Frame): Promise<Seen> {
  return eventually(async () => {
    const now = await frame.evaluate(async () => {
      const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
      for (let y = 0; y < document.documentElement.scrollHeight; y += 400) {
        window.scrollTo(0, y);
        await pause(60);
      }
      const pictures = [...document.images].filter((image) => image.naturalWidth > 0).length;
      return { title: document.title, text: document.body.innerText, pictures };
    });
    if (now.pictures < LAZY_PICTURES) throw new Error(`${String(now.pictures)} pictures`);
    return now;
  });
}
