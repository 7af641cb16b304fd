import type { Browser, Page } from 'playwright-core';
import { BehaviorLibrary, type BehaviorHost } from '../../crawler/page/behavior-library.js';
import { Behaviors, behaviorSettings } from '../../crawler/page/behaviors.js';
import { launchBrowser, openPage } from '../support/browser.js';
import { PlainServer } from '../support/plain-server.js';

const SHORT_SECONDS = 0.5;
const silent: BehaviorHost = {
  log: () => undefined,
  fetch: () => undefined,
  addLink: () => undefined,
  contentCheckFailed: () => undefined,
};

describe('the behaviors of a page', () => {
  let site: PlainServer;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    site = await PlainServer.start((_request, response) => {
      response.setHeader('content-type', 'text/html').end('<!doctype html><div style="height:5000px">A page</div>');
    });
    browser = await launchBrowser();
    page = await openPage(browser);
  }, 150_000);
  afterAll(async () => {
    await browser.close();
    await site.close();
  });

  it('those of a page that took too long do nothing in the page after it', async () => {
    const acted: unknown[] = [];
    const host: BehaviorHost = {
      ...silent,
      log: (_level, _context, message, details) => {
        if (message.startsWith('Autoscroll')) acted.push(details['page']);
      },
    };
    const session = await page.context().newCDPSession(page);
    const run = (seconds: number, quiet: () => Promise<void>): Promise<boolean> => {
      const settings = behaviorSettings({ behaviors: 'autoscroll', behaviorTimeout: seconds });
      return new Behaviors(settings, null).run({ page, session, quiet }, host, new AbortController().signal);
    };
    let answer: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    await page.goto(`${site.url}/slow`);
    expect(await run(SHORT_SECONDS, () => answered)).toBe(false);
    await page.goto(`${site.url}/next`);
    // What it did in its own time, on a machine too busy to draw.
    acted.length = 0;
    answer();
    expect(await run(60, () => Promise.resolve())).toBe(true);
    expect(acted).toEqual([`${site.url}/next`]);
  }, 150_000);

  it('that is stopped at its limit are not done', async () => {
    const session = await page.context().newCDPSession(page);
    const settings = behaviorSettings({ behaviors: 'autoscroll', behaviorTimeout: 60 });
    const limit = new AbortController();
    const quiet = (): Promise<void> => {
      limit.abort();
      return new Promise(() => undefined);
    };
    await page.goto(`${site.url}/stopped`);
    expect(await new Behaviors(settings, null).run({ page, session, quiet }, silent, limit.signal)).toBe(false);
  }, 150_000);

  it('can be asked for by the page itself, for so much and no more', async () => {
    const asked = { log: 0, fetch: 0, link: 0, longest: 0 };
    const take = (what: 'log' | 'fetch' | 'link', text: string): void => {
      asked[what] += 1;
      asked.longest = Math.max(asked.longest, text.length);
    };
    const host: BehaviorHost = {
      ...silent,
      log: (_level, _context, message) => take('log', message),
      fetch: (url) => take('fetch', url),
      addLink: (url) => take('link', url),
    };
    const library = await BehaviorLibrary.load([], { siteSpecific: false, autoclick: true, clickSelector: 'a' }, 100);
    const flood = async (): Promise<void> => {
      await library.install(page, host);
      await page.evaluate(async () => {
        const page = self as unknown as Record<string, (text: string) => Promise<unknown>>;
        const calls = ['__bx_log', '__bx_fetch', '__bx_addLink', '__bx_addSet'];
        for (const name of calls) {
          await page[name]!('x'.repeat(1_000_000));
          for (let n = 0; n < 300; n += 100)
            await Promise.all(Array.from({ length: 100 }, (_, i) => page[name]!(`https://example.com/${n + i}`)));
        }
      });
    };
    await page.goto(`${site.url}/greedy`);
    await flood();
    const { longest, ...first } = asked;
    expect(first).toEqual({ log: 100, fetch: 100, link: 100 });
    expect(longest).toBeLessThan(100_000);
    // The next visit has as much.
    await page.goto(`${site.url}/next`);
    await flood();
    expect(asked).toMatchObject({ log: 200, fetch: 200, link: 200 });
  }, 150_000);
});
