import { mkdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { launchBrowser, openPage } from './browser.js';
import { eventually } from './eventually.js';
import { freePort } from './free-port.js';
import { ServiceProcess } from './service-process.js';
import { ADMIN } from './start-app.js';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** What a page cannot help asking for in the moment in which a crawl ends. */
const AS_A_CRAWL_ENDS = /status of 400 .*\/queue\?|WebSocket connection to .*\/watch\//;

/** Bound of a crawl of a few pages. */
const CRAWL_MS = 180_000;

/** The service as built with its console, replay on a port of its own, and a person's browser. */
export class Console {
  /** What pages said on their consoles, and refusals by the policy; a journey ends with none. */
  readonly complaints: string[] = [];

  private constructor(
    readonly service: ServiceProcess,
    readonly replayOrigin: string,
    readonly browser: Browser,
  ) {}

  static async open(env: Readonly<Record<string, string>> = {}): Promise<Console> {
    const port = String(await freePort());
    const service = await ServiceProcess.open({ REPLAY_PORT: port, ...env });
    return new Console(service, `http://127.0.0.1:${port}`, await launchBrowser());
  }

  /** A page of somebody who is not logged in. Its complaints are collected; `ignore` names those that a test causes. */
  async visitor(options: BrowserContextOptions = {}, ignore?: RegExp): Promise<Page> {
    const page = await openPage(this.browser, {
      viewport: { width: 1280, height: 900 },
      reducedMotion: 'reduce',
      ...options,
    });
    const complain = (text: string): void => {
      if (!ignore?.test(text) && !AS_A_CRAWL_ENDS.test(text)) this.complaints.push(text);
    };
    // Archived pages complain of what they like, in frames of the replay origin.
    page.on('console', (message) => {
      const isOurs = !message.location().url.startsWith(this.replayOrigin);
      if (message.type() === 'error' && isOurs) complain(`${message.text()} (${message.location().url})`);
    });
    page.on('pageerror', (error) => complain(error.message));
    return page;
  }

  /** A page of somebody who has logged in by the form. */
  async person(email: string = ADMIN.email, password: string = ADMIN.password, ignore?: RegExp): Promise<Page> {
    const page = await this.visitor({}, ignore);
    await page.goto(this.service.baseUrl);
    await logIn(page, email, password);
    await page.getByRole('navigation').first().waitFor();
    return page;
  }

  /** The slug of the org that everything starts with. */
  async org(): Promise<{ id: string; slug: string }> {
    const { orgs } = await this.service.call<{ orgs: { id: string; slug: string }[] }>('GET', '/users/me');
    const [org] = orgs;
    if (!org) throw new Error('there is no org');
    return org;
  }

  /** Makes a workflow as a program does, and waits for its first crawl. */
  async crawled(oid: string, workflow: Readonly<Record<string, unknown>>): Promise<{ id: string; crawlId: string }> {
    const made = await this.service.call<{ id: string; run_now_job: string }>('POST', `/orgs/${oid}/crawlconfigs/`, {
      ...workflow,
      runNow: true,
    });
    const crawlId = made.run_now_job;
    await this.completed(oid, crawlId);
    return { id: made.id, crawlId };
  }

  async completed(oid: string, crawlId: string): Promise<void> {
    await eventually(
      async () => {
        const { state } = await this.service.call<{ state: string }>('GET', `/orgs/${oid}/crawls/${crawlId}`);
        expect(state).toBe('complete');
      },
      CRAWL_MS,
      500,
    );
  }

  async close(): Promise<void> {
    await this.browser.close();
    await this.service.close();
  }
}

export async function logIn(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).or(page.locator('input[name=password]')).first().fill(password);
  await page.getByRole('button', { name: 'Log in' }).click();
}

const ALL_CALLS = '**/api/**';

/** From now on the service refuses the page's token, as one that has ended. */
export async function endLogin(page: Page): Promise<void> {
  await page.route(ALL_CALLS, async (route) => {
    const headers = { ...route.request().headers() };
    if (headers['authorization']) headers['authorization'] = 'Bearer ended';
    await route.continue({ headers });
  });
}

/** What the person does in the dialog that then comes. */
export async function logInAgain(page: Page): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Log in again' });
  await dialog.waitFor();
  await page.unroute(ALL_CALLS);
  await dialog.getByLabel('Email').fill(ADMIN.email);
  await dialog.locator('input[name=password]').fill(ADMIN.password);
  await dialog.getByRole('button', { name: 'Log in' }).click();
  await dialog.waitFor({ state: 'detached' });
}

/** The text of a table that the page gives as a file. */
export async function exported(page: Page, table: string): Promise<string> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: `Export as CSV: ${table}`, exact: true }).click();
  return readFile(await (await download).path(), 'utf8');
}

interface AxeResult {
  readonly violations: readonly {
    id: string;
    help: string;
    nodes: readonly { html: string; failureSummary: string }[];
  }[];
}

/** Colours on their way from one scheme to the other are no colours that a person sees. */
const END_TRANSITIONS = `(async () => {
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  for (let quiet = 0; quiet < 3; quiet += 1) {
    await frame();
    for (const animation of document.getAnimations()) {
      if (!Number.isFinite(animation.effect?.getComputedTiming().endTime)) continue;
      animation.finish();
      quiet = 0;
    }
  }
})()`;

const WCAG_AND_PRACTICE = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
/** What depends on colours, which is all that can differ in the dark. A look at the whole page takes a second of CPU. */
const RULES = {
  light: { type: 'tag', values: WCAG_AND_PRACTICE },
  dark: { type: 'rule', values: ['color-contrast', 'link-in-text-block'] },
} as const;

/** What axe-core finds against WCAG 2.2 AA, in both colour schemes; a line for each element. */
export async function axeFindings(page: Page): Promise<string[]> {
  const findings: string[] = [];
  // A page that is still on its way has no heading.
  await page.locator('h1').first().waitFor({ state: 'attached' });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(END_TRANSITIONS);
    await page.evaluate(await readFile(AXE, 'utf8'));
    const options = JSON.stringify({ iframes: false, runOnly: RULES[colorScheme] });
    const { violations } = await page.evaluate<AxeResult>(`axe.run(document, ${options})`);
    for (const { id, help, nodes } of violations)
      for (const { html, failureSummary } of nodes)
        findings.push(`${colorScheme} ${id}: ${help}: ${html.slice(0, 200)} ${failureSummary.slice(0, 200)}`);
  }
  return findings;
}

/** A picture of the page in three widths and both schemes where MUNIMENT_PICTURES names a folder: for people to look at. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['MUNIMENT_PICTURES'];
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  const before = page.viewportSize();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: 900 });
      await page.evaluate(END_TRANSITIONS);
      await page.screenshot({ path: join(folder, `${name}-${String(width)}-${colorScheme}.png`) });
    }
  }
  if (before) await page.setViewportSize(before);
}
