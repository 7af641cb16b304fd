import type { Browser, Page } from 'playwright-core';
import type { BehaviorHost } from '../../crawler/page/behavior-library.js';
import { Behaviors, behaviorSettings } from '../../crawler/page/behaviors.js';
import { launchBrowser, openPage } from '../support/browser.js';
import { PlainServer } from '../support/plain-server.js';

const SHORT_SECONDS = 0.5;

describe('the time of behaviors', () => {
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
      log: (_level, _context, message, details) => {
        if (message.startsWith('Autoscroll')) acted.push(details['page']);
      },
      fetch: () => undefined,
      addLink: () => undefined,
      contentCheckFailed: () => undefined,
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
    answer();
    expect(await run(60, () => Promise.resolve())).toBe(true);
    expect(acted).toEqual([`${site.url}/next`]);
  }, 150_000);
});
