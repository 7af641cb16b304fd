import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { loadScript } from '../start/load.js';

const { findChromium } = await loadScript<{ findChromium: () => Promise<string> }>('provision/chromium.mjs');

/** Covers a browser on a machine that several test runs share. */
const SLOW_MS = 120_000;

/** The Chromium of the tests, as a person's browser. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await findChromium(),
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    timeout: SLOW_MS,
  });
}

/** A page in a context of its own, which is closed with it. */
export async function openPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(SLOW_MS);
  return page;
}
