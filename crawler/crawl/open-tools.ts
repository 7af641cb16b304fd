import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { skipFromDepth } from '../../formats/page-skip.js';
import { delay } from '../base/time.js';
import type { Browser, LaunchOptions } from '../browser/browser.js';
import { chromiumVersion, findChromium, plainUserAgent } from '../browser/executable.js';
import { BrowserPool } from '../browser/pool.js';
import { AdBlock } from '../capture/ad-block.js';
import { DirectFetcher } from '../capture/direct-fetch.js';
import { FetchCapture, type CaptureOwner } from '../capture/fetch-capture.js';
import { StreamFetcher } from '../capture/stream-fetch.js';
import type { Network } from '../guard/network.js';
import { BehaviorLibrary } from '../page/behavior-library.js';
import { Behaviors, behaviorSettings } from '../page/behaviors.js';
import { loadCustomBehaviors } from '../page/custom-behaviors.js';
import { parseLinkSelectors } from '../page/links.js';
import { ServiceWorkers } from '../page/service-workers.js';
import { WORK_FILES, type CrawlModeConfig } from '../protocol.js';
import type { CrawlStore, CrawlTools } from './context.js';
import { memoryBytes } from './machine.js';
import { PlainFetcher } from './plain-fetch.js';
import { RobotsRules } from './robots.js';

const SPOOL_DIR = 'spool';
/** Name under which robots groups are looked up. Sites that do not name it mean everyone. */
/** A page has this long to give an address to a window that it opened, ms. */
const POPUP_MS = 1_500;
const ROBOTS_AGENT = 'Muniment';

export interface Environment {
  readonly searchPath: string;
  /** Variables for programs that fetch: their paths and the certificates they trust. */
  readonly programs: Readonly<Record<string, string>>;
  /** Whether Chromium's own sandbox is on. */
  readonly sandbox: boolean;
}

export interface OpenedTools {
  readonly tools: CrawlTools;
  readonly fetcher: PlainFetcher;
  readonly userAgent: string;
  readonly browserVersion: string;
}

/** Finds the browser and creates everything that uses the network. Starts no browser yet. */
export async function openTools(
  store: CrawlStore,
  network: Network,
  environment: Environment,
  hooks: { ownerOf: (frameId: string | undefined) => CaptureOwner | null; onPopup: (url: string) => void },
): Promise<OpenedTools> {
  const { config, logger } = store;
  const workflow = config.config;
  const executable = await findChromium(config.chromiumPath, environment.searchPath);
  const browserVersion = await chromiumVersion(executable);
  const userAgent = workflow.userAgent || plainUserAgent(browserVersion);
  if (!environment.sandbox) logger.warn('browser', 'The browser runs without its sandbox');
  const fetcher = new PlainFetcher(network.proxyUrl, userAgent);
  const options = launchOptions(config, {
    executable,
    userAgent,
    proxyUrl: network.proxyUrl,
    sandbox: environment.sandbox,
  });
  const current: { capture: FetchCapture | null } = { capture: null };
  const direct = directFetcher(store, options, () => pool.browser);
  const blocker = workflow.blockAds ? new AdBlock() : null;
  const workers = new ServiceWorkers();
  const pool: BrowserPool = new BrowserPool(
    options,
    async (browser) => {
      await workers.hold(browser.context);
      current.capture = await startCapture(store, browser, {
        direct,
        blocker,
        ownerOf: hooks.ownerOf,
        traffic: network.traffic,
        onPopup: hooks.onPopup,
      });
      browser.onPopup((page) => void closePopup(page));
    },
    logger,
  );
  const tools: CrawlTools = {
    pool,
    direct,
    streams: followStreams(store, direct),
    robots: workflow.useRobots ? new RobotsRules(fetcher, ROBOTS_AGENT) : null,
    capture: () => {
      if (!current.capture) throw new Error('no browser is running');
      return current.capture;
    },
    memory: () => memoryOf(pool.browser),
    page: {
      settings: pageSettings(config),
      workers,
      behaviors: await openBehaviors(store, fetcher, {
        proxyUrl: network.proxyUrl,
        programs: environment.programs,
      }),
      refusalOf: (url) => network.refusalOf(url),
    },
  };
  return { tools, fetcher, userAgent, browserVersion };
}

async function memoryOf(browser: Browser | null): Promise<number> {
  const processes = (await browser?.processes().catch(() => [])) ?? [];
  return memoryBytes(processes.map(({ id }) => id));
}

function launchOptions(
  config: CrawlModeConfig,
  about: { executable: string; userAgent: string; proxyUrl: string; sandbox: boolean },
): LaunchOptions {
  const { executable, userAgent, proxyUrl } = about;
  return {
    executable,
    userAgent,
    proxyUrl,
    userDataDir: join(config.dir, WORK_FILES.profileDir),
    ...(config.config.lang ? { lang: config.config.lang } : {}),
    webSecurity: true,
    sandbox: about.sandbox,
    memoryLimitBytes: config.memoryLimitBytes ?? 0,
  };
}

function pageSettings(config: CrawlModeConfig): CrawlTools['page']['settings'] {
  const { config: workflow, requestWaitSeconds, asksOriginals } = config;
  const loadTimeoutMs = (workflow.pageLoadTimeout || 90) * 1000;
  const postLoadMs = (workflow.postLoadDelay ?? 0) * 1000;
  const extraDelayMs = (workflow.pageExtraDelay ?? 0) * 1000;
  return {
    loadTimeoutMs,
    postLoadMs,
    extraDelayMs,
    limitMs: loadTimeoutMs + postLoadMs + behaviorSettings(workflow).timeoutMs + extraDelayMs,
    requestWaitMs: requestWaitSeconds * 1000,
    linkSelectors: parseLinkSelectors(workflow.selectLinks),
    skipFromDepth: asksOriginals ? skipFromDepth(workflow) : Infinity,
  };
}

function directFetcher(store: CrawlStore, options: LaunchOptions, browser: () => Browser | null): DirectFetcher {
  const { config, logger, writer } = store;
  return new DirectFetcher(
    {
      proxyUrl: options.proxyUrl,
      userAgent: options.userAgent,
      ...(options.lang ? { lang: options.lang } : {}),
      spoolDir: join(config.dir, SPOOL_DIR),
      ...(config.maxResourceBytes ? { maxBytes: config.maxResourceBytes } : {}),
      cookies: async (url) => {
        const cookies =
          (await browser()
            ?.context.cookies(url)
            .catch(() => [])) ?? [];
        return cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
      },
      onError: (url, message) => logger.warn('fetch', 'Direct fetch failed', { url, message }),
      onPartial: (url, reason) => logger.warn('fetch', 'Response kept in part', { url, reason }),
    },
    writer,
  );
}

/** Follows streams. Only one rendition plays; the others are for visitors with other screens. */
function followStreams(store: CrawlStore, direct: DirectFetcher): StreamFetcher {
  const { config, logger, writer } = store;
  const { autofetch, autoplay } = behaviorSettings(config.config);
  const streams = new StreamFetcher(
    {
      mostRenditions: autofetch ? Infinity : 1,
      ...(config.maxResourceBytes ? { maxBytes: config.maxResourceBytes } : {}),
      onPartial: (url, reason) => logger.warn('fetch', 'Stream kept in part', { url, reason }),
      onError: (url, message) => logger.warn('fetch', 'Manifest not read', { url, message }),
    },
    direct,
    writer,
  );
  if (autofetch || autoplay) writer.watch((exchange) => streams.see(exchange));
  return streams;
}

async function startCapture(
  store: CrawlStore,
  browser: Browser,
  about: {
    direct: DirectFetcher;
    blocker: AdBlock | null;
    ownerOf: (frameId: string | undefined) => CaptureOwner | null;
    traffic: Network['traffic'];
    onPopup: (url: string) => void;
  },
): Promise<FetchCapture> {
  const { blocker } = about;
  const capture = new FetchCapture(browser.session, {
    writer: store.writer,
    direct: about.direct,
    traffic: about.traffic,
    loadTimeoutMs: pageSettings(store.config).loadTimeoutMs,
    ownerOf: about.ownerOf,
    refusesWindow: (frameId, url) => {
      if (!browser.isUnasked(frameId)) return false;
      about.onPopup(url);
      browser.closeTarget(frameId);
      return true;
    },
    isBlocked: (url, type) => blocker !== null && type !== 'Document' && blocker.blocks(url),
    onError: (url, message) => store.logger.warn('recorder', 'Response not captured', { url, message }),
  });
  await capture.start(blocker !== null);
  return capture;
}

async function openBehaviors(
  store: CrawlStore,
  fetcher: PlainFetcher,
  way: { proxyUrl: string; programs: Environment['programs'] },
): Promise<Behaviors> {
  const { config, logger } = store;
  const settings = behaviorSettings(config.config);
  const sources = config.config.customBehaviors ?? [];
  const custom = await loadCustomBehaviors(sources, {
    workDir: config.dir,
    ...way,
    fetchText: (url, most) => fetcher.text(url, most),
    onError: (source, message) =>
      logger.error('behaviorScriptCustom', 'Custom behavior not loaded', { source, message }),
  });
  const needed = settings.siteSpecific || settings.autoclick || custom.length > 0;
  const library = needed ? await BehaviorLibrary.load(custom, settings) : null;
  return new Behaviors(settings, library);
}

/** Closes a window after its time to get an address. One that asks for a document is closed before. */
async function closePopup(page: Page): Promise<void> {
  await delay(POPUP_MS);
  await page.close().catch(() => undefined);
}
