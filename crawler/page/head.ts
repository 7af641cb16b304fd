/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { settled } from '../base/time.js';

/** Runs in the page. Returns the icon that the page names; empty when it names none. */
export function iconUrl(): string {
  const link = document.querySelector<HTMLLinkElement>('link[rel~="icon" i]');
  return link?.href ?? '';
}

/** Longest text that counts as a title. */
const MAX_TITLE = 10_000;
/** Documents asked before giving up: a page that always reloads replaces them, or shows one without a head. */
const DOCUMENTS = 5;
const DOCUMENT_MS = 2_000;

/** The title in the document's markup, not one that scripts or elements give to `document.title`; empty for none. */
export async function titleOf(page: Page): Promise<string> {
  for (let left = DOCUMENTS; left > 0; left--) {
    const title: unknown = await page.evaluate(documentTitle, MAX_TITLE).catch(() => '');
    if (typeof title === 'string' && title !== '') return title.slice(0, MAX_TITLE);
    await settled(page.waitForLoadState('domcontentloaded'), DOCUMENT_MS);
  }
  return '';
}

/** Runs in the page. */
function documentTitle(most: number): string {
  const { get } = Object.getOwnPropertyDescriptor(Document.prototype, 'title') ?? {};
  return (get?.call(document) as string).slice(0, most);
}
