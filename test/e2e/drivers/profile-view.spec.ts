import { jest } from '@jest/globals';
import type { Browser, Frame, Page } from 'playwright-core';
import { launchBrowser, openPage } from '../../support/browser.js';
import { builtCrawler } from '../../support/build-crawler.js';
import { ClientHost } from '../../support/client-host.js';
import { eventually } from '../../support/eventually.js';
import { ReportingSite } from '../../support/reporting-site.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

const BOUND_MS = 60_000;

describe('the page of a profile browser, in a frame of a client that owns the host', () => {
  jest.setTimeout(180_000);
  let on: AppUnderTest;
  let host: ClientHost;
  let site: ReportingSite;
  let browser: Browser;
  let client: Page;
  let view: Frame;
  const problems: string[] = [];

  beforeAll(async () => {
    await builtCrawler();
    [site, browser, on] = await Promise.all([
      ReportingSite.start(),
      launchBrowser(),
      startApp({
        env: {
          CRAWL_DRIVER: 'local',
          ALLOW_PRIVATE_ADDRESSES: 'crawls',
          CHROMIUM_PATH: process.env['CHROMIUM_PATH'] ?? '',
        },
        realTime: true,
      }),
    ]);
    host = await ClientHost.start(on.baseUrl);
    const api = await on.admin();
    const base = `/orgs/${await on.defaultOrgId()}/profiles/browser`;
    const { body } = await api.post(base, { url: `${site.url}/` });
    const address = await eventually(async () => {
      const answer = await api.get(`${base}/${body.browserid}`);
      expect(answer.body.url).toBeDefined();
      return new URL(answer.body.url as string);
    }, BOUND_MS);
    host.page = `<iframe width="960" height="700" src="${address.pathname}${address.search.replaceAll('&', '&amp;')}">`;
    client = await openPage(browser, { viewport: { width: 1024, height: 768 } });
    client.on(
      'console',
      (message) => message.type() === 'error' && problems.push(`${message.text()} ${message.location().url}`),
    );
    await client.goto(host.url);
    view = await eventually(() => {
      const frame = client.frames().find((each) => each.url().includes('/browser/'));
      if (!frame) throw new Error('no frame');
      return frame;
    }, BOUND_MS);
    await showsPage('/', 1280, 800);
  });
  afterAll(async () => {
    await browser?.close();
    await host?.close();
    await on?.close();
    await site?.close();
  });

  /** Shows the page, in its own size. */
  const showsPage = (path: string, width: number, height: number): Promise<void> =>
    eventually(async () => {
      const canvas = view.locator('canvas');
      const size = await canvas.evaluate((element: HTMLCanvasElement) => [element.width, element.height]);
      expect([await view.locator('#address').inputValue(), ...size]).toEqual([site.url + path, width, height]);
    }, BOUND_MS);
  /** Clicks where the view shows this point of the page. */
  const clickAt = async (x: number, y: number, of = { width: 1280, height: 800 }): Promise<void> => {
    const box = await view.locator('canvas').boundingBox();
    if (!box) throw new Error('no canvas');
    expect(box.width / box.height).toBeCloseTo(of.width / of.height, 1);
    await client.mouse.click(box.x + (x * box.width) / of.width, box.y + (y * box.height) / of.height);
  };
  const isTold = (what: string | RegExp): Promise<void> =>
    eventually(() => expect(site.told.at(-1)).toMatch(what), BOUND_MS);
  const near = (value: number): string => `(${String(value - 1)}|${String(value)}|${String(value + 1)})`;

  it('is shown whole, and nothing of it is refused', () => {
    expect(problems).toEqual([]);
  });

  it('takes a click where it was made', async () => {
    await clickAt(640, 420);
    await isTold(new RegExp(`^/ clicked at ${near(640)},${near(420)}$`));
  });

  it('takes what is typed', async () => {
    await clickAt(200, 120);
    await client.keyboard.type('ada');
    await isTold('text is ada');
  });

  it('draws the options of a select, and takes the one that is picked', async () => {
    await clickAt(200, 220);
    // The second of them, each as high as the field and below it.
    await clickAt(200, 240 + 60);
    await isTold('pick is two');
  });

  it('shows a window that the page opens in its own shape, and the page again when that is closed', async () => {
    await clickAt(200, 520);
    await showsPage('/popup', 400, 300);
    await clickAt(200, 150, { width: 400, height: 300 });
    await isTold(new RegExp(`^/popup clicked at ${near(200)},${near(150)}$`));
    await client.keyboard.press('Escape');
    await showsPage('/', 1280, 800);
  });

  it('goes to an address, back, and loads anew', async () => {
    await client.keyboard.press('F6');
    expect(await view.locator('#address').evaluate((element) => element === document.activeElement)).toBe(true);
    await view.locator('#address').fill(`${site.url}/other`);
    await view.locator('#address').press('Enter');
    await eventually(() => expect(site.asked.at(-1)).toBe('/other'), BOUND_MS);
    await view.locator('[data-go=back]').click();
    await eventually(() => expect(site.asked.at(-1)).toBe('/'), BOUND_MS);
    const count = site.asked.length;
    await view.locator('[data-go=reload]').click();
    await eventually(() => expect(site.asked.slice(count)).toEqual(['/']), BOUND_MS);
  });
});
