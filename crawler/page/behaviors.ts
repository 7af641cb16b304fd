import type { CDPSession, Page } from 'playwright-core';
import { delay, settled } from '../base/time.js';
import type { BehaviorLibrary, BehaviorHost } from './behavior-library.js';
import { inFrames } from './frames.js';
import { autofetchUrls, autoplay, autoscroll } from './scroll.js';

export interface BehaviorSettings {
  readonly autoscroll: boolean;
  readonly autoplay: boolean;
  readonly autofetch: boolean;
  readonly siteSpecific: boolean;
  readonly autoclick: boolean;
  readonly clickSelector: string;
  readonly timeoutMs: number;
}

/** A missing list means the default list; an empty string means none. Spec crawling §3.2. */
export function behaviorSettings(config: {
  behaviors?: string | null;
  behaviorTimeout?: number | null;
  clickSelector?: string | null;
}): BehaviorSettings {
  const list = (config.behaviors ?? 'autoscroll,autoplay,autofetch,siteSpecific').split(',').map((name) => name.trim());
  return {
    autoscroll: list.includes('autoscroll'),
    autoplay: list.includes('autoplay'),
    autofetch: list.includes('autofetch'),
    siteSpecific: list.includes('siteSpecific'),
    autoclick: list.includes('autoclick'),
    clickSelector: config.clickSelector || 'a',
    timeoutMs: (config.behaviorTimeout ?? 90) * 1000,
  };
}

const STEP_MS = 60;
/** A frame that is not drawn in this time is out of sight, for example far below. */
const DRAW_MS = 2_000;
/** Share of all behaviors' time for scrolling. The rest is for the behaviors after it. */
const SCROLL_SHARE = 0.8;
const MAX_FETCHES = 500;
/** Time for playing media to load the parts that replay needs. */
const PLAY_MS = 1_000;

export interface BehaviorTarget {
  readonly page: Page;
  readonly session: CDPSession;
  /** Resolves when the page's requests are answered, and after some seconds in any case. */
  readonly quiet: () => Promise<void>;
}

type BehaviorLog = (message: string, details?: Record<string, unknown>) => void;

function logOf({ page }: BehaviorTarget, host: BehaviorHost, level: 'info' | 'warn' = 'info'): BehaviorLog {
  return (message, details = {}) => host.log(level, 'behavior', message, { page: page.url(), ...details });
}

/** Acts on a loaded page like a visitor, so that everything a visitor would load is captured. */
export class Behaviors {
  constructor(
    private readonly settings: BehaviorSettings,
    private readonly library: BehaviorLibrary | null,
  ) {}

  /** Runs before links and text are read, so that a behavior can wait for its content. */
  async prepare(page: Page, host: BehaviorHost): Promise<void> {
    const { library } = this;
    if (!library?.applies(page.url())) return;
    const ready = library.install(page, host).then(() => library.awaitPageLoad(page));
    await settled(ready, this.settings.timeoutMs);
  }

  /** Returns false when the time was over or the page was stopped before all behaviors had finished. */
  async run(target: BehaviorTarget, host: BehaviorHost, signal: AbortSignal): Promise<boolean> {
    if (this.settings.timeoutMs <= 0) return true;
    let onAbort: () => void = () => undefined;
    const stop = new Promise<void>((resolve) => (onAbort = resolve));
    signal.addEventListener('abort', onAbort, { once: true });
    const over = new AbortController();
    try {
      const all = this.all(target, host, AbortSignal.any([signal, over.signal]));
      const isDone = await settled(Promise.race([all, stop]), this.settings.timeoutMs);
      if (!isDone) logOf(target, host, 'warn')('Behaviors timed out', { seconds: this.settings.timeoutMs / 1000 });
      return isDone && !signal.aborted;
    } finally {
      over.abort();
      signal.removeEventListener('abort', onAbort);
    }
  }

  private async all(target: BehaviorTarget, host: BehaviorHost, signal: AbortSignal): Promise<void> {
    const { page, session } = target;
    const log = logOf(target, host);
    if (this.settings.autoplay) {
      const urls = (await this.inFrames(page, autoplay, undefined)).flat();
      urls.forEach((url) => host.fetch(url));
      if (urls.length > 0) log('Autoplay: media started', { sources: urls.length });
      if (urls.length > 0) await delay(PLAY_MS, signal);
    }
    // Nothing runs after the time is over, because the window may show another page by then.
    if (this.library?.applies(page.url()) && !signal.aborted) await this.runLibrary(session);
    if (this.settings.autoscroll && !signal.aborted) await this.scroll(target, log, signal);
    if (this.settings.autofetch && !signal.aborted) {
      const urls = (await this.inFrames(page, autofetchUrls, MAX_FETCHES)).flat();
      urls.forEach((url) => host.fetch(url));
      if (urls.length > 0) log('Autofetch: resources named by the page', { urls: urls.length });
    }
  }

  /** Scrolls to the end and continues while the page grows. A feed may be endless, but the time is not. */
  private async scroll({ page, quiet }: BehaviorTarget, log: BehaviorLog, signal: AbortSignal): Promise<void> {
    const until = Date.now() + this.settings.timeoutMs * SCROLL_SHARE;
    const options = () => ({ stepMs: STEP_MS, drawMs: DRAW_MS, deadlineMs: Math.max(0, until - Date.now()) });
    let rounds = 0;
    for (; Date.now() < until && !signal.aborted; rounds++) {
      const hasScrolled = await this.inFrames(page, autoscroll, { what: 'page', isFirst: rounds === 0, ...options() });
      if (!hasScrolled.includes(true)) break;
      await quiet();
    }
    if (signal.aborted) return;
    const boxes = await this.inFrames(page, autoscroll, { what: 'boxes', isFirst: true, ...options() });
    if (rounds > 0 || boxes.includes(true)) log('Autoscroll: scrolled to the end', { rounds });
    else log('Autoscroll: skipped, there is nothing to scroll');
  }

  /** Runs with the console's API, because autoclick asks it for the listeners of an element. */
  private async runLibrary(session: CDPSession): Promise<void> {
    await session
      .send('Runtime.evaluate', {
        expression: 'self.__bx_behaviors && self.__bx_behaviors.run(self.__bx_behaviors.opts)',
        includeCommandLineAPI: true,
        awaitPromise: true,
      })
      .catch(() => undefined);
  }

  private inFrames<A, R>(page: Page, script: (argument: A) => R | Promise<R>, argument: A): Promise<R[]> {
    return inFrames(page, script, argument, this.settings.timeoutMs);
  }
}
