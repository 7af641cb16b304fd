import { jest } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openPage } from '../../support/browser.js';
import { eventually } from '../../support/eventually.js';
import { faultsOfArchive, storedWaczs } from '../../support/replayed.js';
import { ServiceProcess } from '../../support/service-process.js';
import { startTestSite, type TestSite } from '../../support/site/site.js';
import { ADMIN } from '../../support/start-app.js';
import { TutorialShell, partsOf } from '../../support/tutorial-shell.js';
import { asPattern, readDocument } from '../../support/tutorial.js';

const STEP_MS = 240_000;

describe('docs/tutorial-crawling.md', () => {
  jest.setTimeout(900_000);
  let site: TestSite;
  let service: ServiceProcess;
  let shell: TutorialShell;
  let browser: Browser;
  let page: Page;

  beforeAll(async () => {
    site = await startTestSite();
    service = await ServiceProcess.open();
    shell = new TutorialShell({ BASE: service.baseUrl, SITE: site.url, ADMIN_PASSWORD: ADMIN.password });
    browser = await launchBrowser();
    page = await openPage(browser, { viewport: { width: 1280, height: 900 } });
  });

  afterAll(async () => {
    shell?.close();
    await browser?.close();
    await service?.close();
    await site?.close();
  });

  /** What the document asks for between two commands. @param printed what the last command printed */
  const hands: Record<string, (printed: string) => Promise<void>> = {
    login: async (printed) => {
      await page.goto(printed);
      await page.locator('#state:empty').waitFor({ state: 'attached', timeout: STEP_MS });
      const press = (key: string) => page.locator('#screen').press(key);
      await press('Tab');
      await page.keyboard.type('ada');
      await press('Tab');
      await page.keyboard.type('secret');
      await press('Enter');
      const isIn = () =>
        site.requests.some(({ path, headers }) => path === '/members.html' && /session=ada/.test(headers.cookie ?? ''));
      await eventually(() => expect(isIn()).toBe(true));
      await page.goto('about:blank');
    },
    restart: () => service.restart(),
    replay: async (printed) => {
      await site.close();
      await page.goto(printed);
      await page.fill('input[name=email]', ADMIN.email);
      await page.fill('input[name=password]', ADMIN.password);
      await page.click('#login button');
      await eventually(async () => {
        // The player shows the archived page in a frame under its own replay prefix.
        const shown = page.frames().find((each) => each.url().endsWith(`mp_/${site.url}/members/secret.html`));
        expect(await shown?.locator('h1').textContent()).toBe('The secret');
      }, 120_000);
    },
  };

  it('says what its commands print', async () => {
    const parts = partsOf(await readDocument('tutorial-crawling.md'));
    expect(parts.length).toBeGreaterThan(35);
    expect(parts.flatMap((part) => (part.kind === 'hand' ? [part.name] : []))).toEqual(Object.keys(hands));
    let printed = '';
    for (const part of parts) {
      if (part.kind === 'hand') {
        await hands[part.name]?.(printed);
        continue;
      }
      printed = await shell.run(part.command, STEP_MS);
      expect([part.command, printed]).toEqual([part.command, expect.stringMatching(asPattern(part.output))]);
    }
    expect(await faultsOfArchive(await storedWaczs(service.dataDir))).toEqual([]);
  });
});
