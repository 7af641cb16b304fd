import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { errorText } from '../base/time.js';
import type { LogLevel } from '../protocol.js';
import { framesOf } from './frames.js';

/** Sites with behaviors in browsertrix-behaviors. On other sites it need not be loaded. */
const SITES = /^https:\/\/(?:[\w-]+\.)*(?:facebook\.com|instagram\.com|twitter\.com|x\.com|t\.me|tiktok\.com)\//;

/** Most calls of each kind heard in a visit, and their longest text: the page can make these calls too. */
const MOST_CALLS = 5_000;
const MOST_CHARS = 50_000;

/** Most clicked elements remembered over all pages of a crawl. */
const MOST_CLICKED = 200_000;

const CLICKED = /^Click(?:ing on link: | empty link$)/;

/** The requests that behaviors in a page can make. */
export interface BehaviorHost {
  log(level: LogLevel, context: string, message: string, details: Record<string, unknown>): void;
  fetch(url: string): void;
  addLink(url: string): void;
  contentCheckFailed(reason: string): void;
}

export interface BehaviorCode {
  /** Origin of the behavior, for the log. */
  readonly source: string;
  /** Text of a class expression. */
  readonly code: string;
}

interface LibraryOptions {
  readonly siteSpecific: boolean;
  readonly autoclick: boolean;
  readonly clickSelector: string;
}

/** A visit that behaviors run in. */
interface Visit {
  readonly host: BehaviorHost;
  /** Number of calls heard, by function name. */
  readonly calls: Map<string, number>;
}

/** Runs browsertrix-behaviors in a page: site-specific, autoclick and custom behaviors. */
export class BehaviorLibrary {
  private readonly visits = new WeakMap<Page, Visit>();
  private readonly bound = new WeakSet<Page>();
  /** URLs that autoclick has clicked anywhere in this crawl. */
  private readonly clicked = new Set<string>();

  private constructor(
    private readonly source: string,
    private readonly custom: readonly BehaviorCode[],
    private readonly options: LibraryOptions,
    private readonly mostCalls: number,
  ) {}

  static async load(
    custom: readonly BehaviorCode[],
    options: LibraryOptions,
    mostCalls = MOST_CALLS,
  ): Promise<BehaviorLibrary> {
    const path = createRequire(import.meta.url).resolve('browsertrix-behaviors/dist/behaviors.js');
    return new BehaviorLibrary(await readFile(path, 'utf8'), custom, options, mostCalls);
  }

  /** Whether the library has anything to do on this page. */
  applies(url: string): boolean {
    return this.options.autoclick || this.custom.length > 0 || (this.options.siteSpecific && SITES.test(url));
  }

  /** Puts the library into the page's frames. Call it after the page has loaded. */
  async install(page: Page, host: BehaviorHost): Promise<void> {
    this.visits.set(page, { host, calls: new Map() });
    if (!this.bound.has(page)) {
      this.bound.add(page);
      await this.bind(page);
    }
    const options = {
      autofetch: false,
      autoplay: false,
      autoscroll: false,
      autoclick: this.options.autoclick,
      siteSpecific: this.options.siteSpecific || this.custom.length > 0,
      clickSelector: this.options.clickSelector,
      log: '__bx_log',
      startEarly: false,
    };
    const script = [
      `if (!self.__bx_behaviors) { ${this.source}; }`,
      WRAPPER,
      ...this.custom.map(
        ({ code }) => `try { self.__mn_load(${code}); } catch (e) { self.__bx_log({data: String(e), type: 'error'}); }`,
      ),
      `self.__bx_behaviors.init(${JSON.stringify(options)}); self.__bx_behaviors.selectMainBehavior();`,
    ].join('\n');
    const installing = framesOf(page).map(async (frame) => {
      await frame.evaluate(script).catch((error: Error) => {
        if (frame === page.mainFrame())
          host.log('error', 'behavior', 'Behaviors failed to load', { error: errorText(error) });
      });
    });
    await Promise.all(installing);
  }

  /** Runs the behavior's own wait for content, which contains log-in checks. */
  async awaitPageLoad(page: Page): Promise<void> {
    await page.evaluate('self.__bx_behaviors && self.__bx_behaviors.awaitPageLoad()').catch(() => undefined);
  }

  private async bind(page: Page): Promise<void> {
    const hear = (name: string, act: (host: BehaviorHost, text: string) => unknown): Promise<unknown> =>
      page.exposeFunction(name, (given: unknown) => {
        const text = typeof given === 'object' ? JSON.stringify(given) : String(given);
        const host = text.length > MOST_CHARS ? undefined : this.hearing(page, name);
        return host && act(host, text);
      });
    await hear('__bx_log', (host, entry) => this.log(page, host, entry));
    await hear('__bx_fetch', (host, url) => {
      host.fetch(url);
      return true;
    });
    await hear('__bx_addLink', (host, url) => host.addLink(url));
    await hear('__bx_addSet', (_host, url) => {
      const fresh = !this.clicked.has(url);
      if (this.clicked.size < MOST_CLICKED) this.clicked.add(url);
      return fresh;
    });
    await hear('__bx_contentCheckFailed', (host, reason) => host.contentCheckFailed(reason));
  }

  /** Counts a call; returns undefined once the page has called too often. */
  private hearing(page: Page, name: string): BehaviorHost | undefined {
    const visit = this.visits.get(page);
    const calls = (visit?.calls.get(name) ?? 0) + 1;
    visit?.calls.set(name, calls);
    return calls > this.mostCalls ? undefined : visit?.host;
  }

  private log(page: Page, host: BehaviorHost, entry: string): void {
    const parsed = safeParse(entry) as { data?: unknown; type?: string } | null;
    const data = parsed?.data;
    const level = levelOf(parsed?.type, data);
    if (typeof data === 'object' && data !== null) {
      const { msg, siteSpecific, ...details } = data as Record<string, unknown>;
      const context = siteSpecific ? (this.custom.length > 0 ? 'behaviorScriptCustom' : 'behaviorScript') : 'behavior';
      host.log(level, context, String(msg ?? 'Behavior'), { page: page.url(), ...details });
    } else {
      host.log(level, 'behavior', String(data ?? ''), { page: page.url() });
    }
  }
}

/** Newer behaviors call `ctx.Lib.assertContentValid(check, reason)`, which this release of the library lacks. */
const WRAPPER = `self.__mn_load = (cls) => {
  const extend = (ctx) => ({ ...ctx, Lib: { ...ctx.Lib, assertContentValid: (check, reason = 'invalid') => {
    if (!check()) { self.__bx_contentCheckFailed(reason); throw new Error('content check failed: ' + reason); }
  } } });
  const proto = cls.prototype;
  const run = proto.run, load = proto.awaitPageLoad;
  if (run) proto.run = async function* (ctx) { yield* run.call(this, extend(ctx)); };
  if (load) proto.awaitPageLoad = async function (ctx) { return load.call(this, extend(ctx)); };
  self.__bx_behaviors.load(cls);
};`;

/** The library logs autoclick's clicks as debugging, but they are the behavior's result. */
function levelOf(type: string | undefined, data: unknown): LogLevel {
  if (type === 'error' || type === 'info') return type;
  return typeof data === 'string' && CLICKED.test(data) ? 'info' : 'debug';
}

function safeParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return { data: text };
  }
}
