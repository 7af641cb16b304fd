import type { Page, Request } from 'playwright-core';
import { launchBrowser, openPage } from './browser.js';

const QUIET_MS = 1_000;
const MOST_MS = 60_000;

/** What a person's browser loads of these pages, scrolled to their ends: by page the URLs that were answered well. */
export async function visitDirectly(urls: readonly string[]): Promise<Map<string, string[]>> {
  const browser = await launchBrowser();
  try {
    const loaded = new Map<string, string[]>();
    for (const url of urls) {
      const page = await openPage(browser, { viewport: { width: 1920, height: 1080 }, serviceWorkers: 'block' });
      loaded.set(url, await resourcesOf(page, url));
      await page.close();
    }
    return loaded;
  } finally {
    await browser.close();
  }
}

async function resourcesOf(page: Page, url: string): Promise<string[]> {
  const seen = new Set<string>();
  const unanswered = new Set<Request>();
  let lastAt = Date.now();
  page.on('request', (request) => {
    unanswered.add(request);
    lastAt = Date.now();
  });
  page.on('requestfailed', (request) => unanswered.delete(request));
  page.on('response', (response) => {
    unanswered.delete(response.request());
    lastAt = Date.now();
    if (response.status() < 400 && /^https?:/.test(response.url())) seen.add(response.url().split('#', 1)[0] ?? '');
  });
  await page.goto(url, { waitUntil: 'load' });
  const until = Date.now() + MOST_MS;
  const isQuiet = (): boolean => unanswered.size === 0 && Date.now() - lastAt >= QUIET_MS;
  for (let atEnd = false; Date.now() < until && !(atEnd && isQuiet());) {
    atEnd = await page.evaluate(scrollOn);
    await page.waitForTimeout(100);
  }
  return [...seen].sort();
}

/** Runs in the page. Resolves when the step is drawn, which is when what came into view begins to load. */
async function scrollOn(): Promise<boolean> {
  window.scrollBy(0, 600);
  await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
  return window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 2;
}
