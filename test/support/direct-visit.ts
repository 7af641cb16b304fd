import { chromium, type Page } from 'playwright-core';
import { loadScript } from '../start/load.js';

const { findChromium } = await loadScript<{ findChromium: () => Promise<string> }>('provision/chromium.mjs');

const QUIET_MS = 1_000;
const MOST_MS = 30_000;

/** What a person's browser loads of these pages, scrolled to their ends: by page the URLs that were answered well. */
export async function visitDirectly(urls: readonly string[]): Promise<Map<string, string[]>> {
  const root = process.getuid?.() === 0;
  const browser = await chromium.launch({ executablePath: await findChromium(), args: root ? ['--no-sandbox'] : [] });
  try {
    const loaded = new Map<string, string[]>();
    for (const url of urls) {
      const page = await browser.newPage({ viewport: { width: 1920, height: 1080 }, serviceWorkers: 'block' });
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
  let lastAt = Date.now();
  page.on('request', () => (lastAt = Date.now()));
  page.on('response', (response) => {
    lastAt = Date.now();
    if (response.status() < 400 && /^https?:/.test(response.url())) seen.add(response.url().split('#', 1)[0] ?? '');
  });
  await page.goto(url, { waitUntil: 'load' });
  const until = Date.now() + MOST_MS;
  for (let atEnd = false; Date.now() < until && !(atEnd && Date.now() - lastAt >= QUIET_MS);) {
    atEnd = await page.evaluate(scrollOn);
    await page.waitForTimeout(100);
  }
  return [...seen].sort();
}

/** Runs in the page. */
function scrollOn(): boolean {
  window.scrollBy(0, 600);
  return window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 2;
}
