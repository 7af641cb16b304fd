import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { loadScript } from '../start/load.js';

const { findChromium } = await loadScript<{ findChromium: () => Promise<string> }>('provision/chromium.mjs');

/** Covers a browser on a machine that several test runs share. */
const SLOW_MS = 120_000;

const launchOptions = async () => ({
  executablePath: await findChromium(),
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  timeout: SLOW_MS,
});

/** The Chromium of the tests, as a person's browser. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch(await launchOptions());
}

/**
 * The same without what Playwright changes. Frames of another website have a storage of their own in it, as in people's
 * browsers; in that of `launchBrowser` they have none.
 */
export async function launchPlainBrowser(): Promise<Browser> {
  const { args, ...options } = await launchOptions();
  const home = await mkdtemp(join(tmpdir(), 'muniment-browser-'));
  const own = ['--headless', '--remote-debugging-pipe', '--no-first-run', `--user-data-dir=${home}`];
  const browser = await chromium.launch({ ...options, ignoreDefaultArgs: true, args: [...args, ...own] });
  browser.on('disconnected', () => void rm(home, { recursive: true, force: true, maxRetries: 10 }));
  return browser;
}

/** A page in a context of its own, which is closed with it. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(SLOW_MS);
  return page;
}
