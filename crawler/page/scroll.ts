/// <reference lib="dom" />

/**
 * Runs in the page: scrolls it, or the scrollable boxes inside it, to the end. Content that loads when it comes into
 * view is requested once a step is drawn. So each step waits for that, unless the page isn't drawn at all. Returns
 * whether there was anything to scroll; after the first time, whether the page had grown.
 */
export async function autoscroll(options: {
  what: 'page' | 'boxes';
  isFirst: boolean;
  stepMs: number;
  drawMs: number;
  deadlineMs: number;
}): Promise<boolean> {
  const until = performance.now() + options.deadlineMs;
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve));
  const drawn = () => nextFrame().then(nextFrame);
  const root = document.scrollingElement ?? document.documentElement;
  const state = window as unknown as { __scrolledHeight?: number };
  let isDrawn = true;
  const step = async () => {
    const paused = wait(options.stepMs);
    if (isDrawn) isDrawn = await Promise.race([drawn().then(() => true), wait(options.drawMs).then(() => false)]);
    await paused;
  };
  const downOnce = async (element: Element, height: number) => {
    let last = -1;
    while (performance.now() < until && element.scrollTop !== last) {
      last = element.scrollTop;
      element.scrollBy({ top: Math.max(200, Math.floor(height * 0.8)), behavior: 'instant' as ScrollBehavior });
      await step();
    }
  };
  if (options.what === 'page') {
    const height = root.scrollHeight;
    if (height <= (options.isFirst ? window.innerHeight : (state.__scrolledHeight ?? 0))) return false;
    state.__scrolledHeight = height;
    await downOnce(root, window.innerHeight);
    return true;
  }
  const boxes = [...document.querySelectorAll('body *')].slice(0, 3_000).filter((element) => {
    if (element.scrollHeight <= element.clientHeight + 50 || element.clientHeight < 100) return false;
    return /auto|scroll/.test(getComputedStyle(element).overflowY);
  });
  for (const box of boxes.slice(0, 10)) await downOnce(box, box.clientHeight);
  return boxes.length > 0;
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
 * Runs in the page: returns the URLs that a visitor with another screen or a longer stay would load. They are every
 * srcset candidate, lazy-load attribute, media source and URL in style sheets.
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
