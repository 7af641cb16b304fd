/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import { inFrames } from './frames.js';

/** Most links of one page that are looked at. */
const MAX_LINKS = 200_000;
const FRAME_TIMEOUT_MS = 15_000;

export interface LinkSelector {
  readonly selector: string;
  readonly extract: string;
  /** `->@name`: only the attribute is read, never the property. */
  readonly attribute: boolean;
}

/** `a[href]->href`; other forms are left out (the API has checked them). */
export function parseLinkSelectors(list: readonly string[] | null | undefined): LinkSelector[] {
  const given = list && list.length > 0 ? list : ['a[href]->href'];
  return given.flatMap((text) => {
    const [selector, extract, ...rest] = text.split('->').map((part) => part.trim());
    if (!selector || !extract || rest.length > 0) return [];
    const attribute = extract.startsWith('@');
    return [{ selector, extract: attribute ? extract.slice(1) : extract, attribute }];
  });
}

/** The absolute URLs the selectors find in all frames of the page, each once. */
export async function extractLinks(page: Page, selectors: readonly LinkSelector[]): Promise<string[]> {
  const found = new Set<string>();
  const perFrame = await inFrames(page, collect, { selectors: [...selectors], most: MAX_LINKS }, FRAME_TIMEOUT_MS);
  for (const urls of perFrame) {
    for (const url of urls) if (found.size < MAX_LINKS) found.add(url);
  }
  return [...found];
}

/** Runs in the page. */
function collect({ selectors, most }: { selectors: LinkSelector[]; most: number }): string[] {
  const urls = new Set<string>();
  for (const { selector, extract, attribute } of selectors) {
    let elements: NodeListOf<Element>;
    try {
      elements = document.querySelectorAll(selector);
    } catch {
      continue;
    }
    for (const element of elements) {
      if (urls.size >= most) return [...urls];
      const property: unknown = attribute ? null : (element as unknown as Record<string, unknown>)[extract];
      const value = property || element.getAttribute(extract);
      if (typeof value !== 'string' || value === '') continue;
      try {
        urls.add(new URL(value, document.baseURI).href);
      } catch {
        // Not a URL.
      }
    }
  }
  return [...urls];
}
