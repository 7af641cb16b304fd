/// <reference lib="dom" />

/**
 * Runs in the page: scrolls to the end, waits for what that loads, and follows up to `growthRounds` times when the page
 * has grown. Scrollable boxes inside the page are scrolled too. Returns the number of steps taken.
 */
export async function autoscroll(options: {
  stepMs: number;
  growthRounds: number;
  deadlineMs: number;
}): Promise<number> {
  const until = performance.now() + options.deadlineMs;
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const root = document.scrollingElement ?? document.documentElement;
  const state = window as unknown as { __scrollSteps?: number };
  let steps = 0;
  const downOnce = async (element: Element, height: number) => {
    let last = -1;
    while (performance.now() < until && element.scrollTop !== last) {
      last = element.scrollTop;
      element.scrollBy({ top: Math.max(200, Math.floor(height * 0.8)), behavior: 'instant' as ScrollBehavior });
      state.__scrollSteps = ++steps;
      await wait(options.stepMs);
    }
  };
  let height = -1;
  for (let round = 0; round <= options.growthRounds && performance.now() < until; round++) {
    if (root.scrollHeight === height) break;
    height = root.scrollHeight;
    if (root.scrollHeight <= window.innerHeight && round === 0) break;
    await downOnce(root, window.innerHeight);
    // Pages that load on arrival at the end need a moment to grow.
    await wait(options.stepMs * 4);
  }
  const boxes = [...document.querySelectorAll('body *')].slice(0, 3_000).filter((element) => {
    if (element.scrollHeight <= element.clientHeight + 50 || element.clientHeight < 100) return false;
    return /auto|scroll/.test(getComputedStyle(element).overflowY);
  });
  for (const box of boxes.slice(0, 10)) await downOnce(box, box.clientHeight);
  return steps;
}

/** Runs in the page: starts all audio and video, and returns the URLs of their sources. */
export function autoplay(): string[] {
  const urls: string[] = [];
  for (const media of document.querySelectorAll<HTMLMediaElement>('video, audio')) {
    media.muted = true;
    media.play().catch(() => undefined);
    for (const source of [media, ...media.querySelectorAll('source')]) {
      const src = source.getAttribute('src');
      if (src) urls.push(src);
    }
    const poster = media.getAttribute('poster');
    if (poster) urls.push(poster);
  }
  return urls.flatMap((url) => {
    try {
      return [new URL(url, document.baseURI).href];
    } catch {
      return [];
    }
  });
}

/**
 * Runs in the page: URLs a visitor with another screen or a longer stay would load: every srcset candidate, lazy-load
 * attributes, media sources, and what the style sheets refer to.
 */
export function autofetchUrls(most: number): string[] {
  const urls = new Set<string>();
  const add = (value: string | null | undefined, base = document.baseURI) => {
    if (!value || urls.size >= most) return;
    try {
      const url = new URL(value.trim(), base);
      if (url.protocol === 'http:' || url.protocol === 'https:') urls.add(url.href);
    } catch {
      // Not a URL.
    }
  };
  const addSet = (value: string | null) => {
    for (const part of (value ?? '').split(/,\s+|,(?=https?:|\/)/)) add(part.trim().split(/\s+/)[0]);
  };
  const lazy = ['data-src', 'data-original', 'data-lazy-src', 'data-bg', 'data-background', 'data-poster'];
  for (const element of document.querySelectorAll('img, source, picture, video, audio, [data-src], [data-bg]')) {
    addSet(element.getAttribute('srcset'));
    addSet(element.getAttribute('data-srcset'));
    for (const name of lazy) add(element.getAttribute(name));
    if (/^(?:IMG|SOURCE|VIDEO|AUDIO)$/.test(element.tagName)) add(element.getAttribute('src'));
  }
  const readRules = (rules: CSSRuleList, base: string) => {
    for (const rule of rules) {
      if ('cssRules' in rule) readRules((rule as CSSGroupingRule).cssRules, base);
      if ('styleSheet' in rule) readSheet((rule as CSSImportRule).styleSheet);
      if (!rule.cssText.includes('url(')) continue;
      for (const match of rule.cssText.matchAll(/url\(\s*["']?([^"')]+)["']?\s*\)/g)) add(match[1], base);
    }
  };
  const readSheet = (sheet: CSSStyleSheet | null) => {
    try {
      if (sheet) readRules(sheet.cssRules, sheet.href ?? document.baseURI);
    } catch {
      // A sheet of another origin can't be read here; the browser loads what it needs of it.
    }
  };
  for (const sheet of document.styleSheets) readSheet(sheet);
  return [...urls];
}

/** Runs in the page: the icon the page names; empty when it names none. */
export function iconUrl(): string {
  const link = document.querySelector<HTMLLinkElement>('link[rel~="icon" i]');
  return link?.href ?? '';
}
