import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { readBrowserStart } from '../../crawler/container/browser-start.js';
import { readContainerStart } from '../../crawler/container/container-start.js';
import type { AppConfig, CrawlerSettings } from '../../src/config/app-config.js';
import { Env } from '../../src/config/env.js';
import { loadConfig } from '../../src/config/load-config.js';
import type { BrowserSpec } from '../../src/drivers/browser-driver.js';
import { browserPlan } from '../../src/drivers/containers/browser-plan.js';
import { instancePlans } from '../../src/drivers/containers/instance-plan.js';
import { containerOptions } from '../../src/drivers/docker/container-options.js';
import { instanceManifests } from '../../src/drivers/kubernetes/pod-manifest.js';
import { serviceManifests } from '../../src/drivers/kubernetes/service-manifest.js';
import { crawlerConfig } from '../../src/drivers/local/crawler-config.js';
import type { LocalSettings } from '../../src/drivers/local/local-settings.js';
import { aCrawlJobSpec, CRAWLER } from '../support/crawl-job-spec.js';

/** Another value than the default of each setting that all crawlers are told of. A new one has to be added to compile. */
const OTHER: { [K in keyof CrawlerSettings]: CrawlerSettings[K] } = {
  sessionBytes: 123_456,
  sessionSeconds: 61,
  maxPages: 7,
  diskUsePercent: 71,
  rateLimitThreshold: 9,
  requestWaitSeconds: 3,
  logging: 'stats',
  fullText: 'to-pages',
  allowPrivate: true,
  allowAddresses: ['10.1.0.0/16', 'fd00::1'],
  extraArgs: '--lang de',
  cpuMillis: 1234,
  memoryBytes: 3 * 1024 ** 3,
  extraCpuMillis: 777,
  extraMemoryBytes: 999 * 1024 ** 2,
};
const KEYS = Object.keys(CRAWLER) as (keyof CrawlerSettings)[];
const RESOURCES = ['cpuMillis', 'memoryBytes', 'extraCpuMillis', 'extraMemoryBytes'] as const;

type Keys = readonly (keyof CrawlerSettings)[];
/** Settings that do not concern profile browsers, which write no files, end by themselves and have one window. */
const NOT_OF_BROWSERS: Keys = [
  ...(['sessionBytes', 'sessionSeconds', 'maxPages', 'diskUsePercent', 'rateLimitThreshold'] as const),
  ...(['requestWaitSeconds', 'logging', 'fullText', 'extraArgs', 'extraCpuMillis', 'extraMemoryBytes'] as const),
];
/** What the embedded crawler has no use for: options of the official image, and what the engine sees to. */
const NOT_OF_OUR_CRAWLER: Keys = ['logging', 'fullText', 'extraArgs', ...RESOURCES];
/** A local crawl has WACZ_ROLLOVER_BYTES for the size, and control groups for resources. */
const NOT_OF_LOCAL: Keys = ['sessionBytes', ...NOT_OF_OUR_CRAWLER];
/** Quality checks replay a crawl: nothing of a site is asked for, and they end with the pages that there are. */
const NOT_OF_CHECKS: Keys = ['sessionSeconds', 'diskUsePercent', 'rateLimitThreshold', 'requestWaitSeconds'];

const s3 = { endpointUrl: 'https://s3.example/bucket/', accessKey: 'key', secretKey: 'secret', region: 'us-east-1' };

function jobOf(kind: 'crawl' | 'qa') {
  const spec = aCrawlJobSpec({ kind, jobId: 'manual-1-abc', browserWindows: 2, windowsPerInstance: 2 });
  return { ...spec, storage: { ...spec.storage, s3 } };
}

const planOf = (kind: 'crawl' | 'qa', crawler: CrawlerSettings, job = jobOf(kind)) =>
  instancePlans(job, 1, { redisUrl: 'redis://redis:6379/0', crawler })[0]!;

function browserPlanOf(crawler: CrawlerSettings) {
  const { oid, userId, image, imagePullPolicy, storage } = jobOf('crawl');
  const spec: BrowserSpec = {
    ...{ browserId: 'prf-0123456789', oid, userId, image, imagePullPolicy, storage },
    ...{ url: 'https://site.example/', labels: {} },
  };
  return browserPlan(spec, { idleSeconds: 30, crawler });
}

const DOCKER = { network: '' };
const NEEDS = { labels: {}, restart: 'no', hasBrowser: true } as const;
const PODS = { storageSize: '25Gi', storageClass: '', priorityClass: '' };

/** What each engine is asked for, by its kind of container. */
const ASKED: [name: string, asked: (crawler: CrawlerSettings) => unknown, without: Keys][] = [
  ['docker, a crawl', (crawler) => containerOptions(planOf('crawl', crawler), NEEDS, DOCKER), []],
  ['docker, a quality check', (crawler) => containerOptions(planOf('qa', crawler), NEEDS, DOCKER), []],
  ['docker, a profile browser', (crawler) => containerOptions(browserPlanOf(crawler), NEEDS, DOCKER), NOT_OF_BROWSERS],
  ['kubernetes, a crawl', (crawler) => instanceManifests(planOf('crawl', crawler), 'config', PODS), []],
  ['kubernetes, a quality check', (crawler) => instanceManifests(planOf('qa', crawler), 'config', PODS), []],
  ['kubernetes, a profile browser', (crawler) => serviceManifests(browserPlanOf(crawler), 'c', ''), NOT_OF_BROWSERS],
];

/** Settings of the list whose change alters nothing. */
async function withoutEffect(of: (crawler: CrawlerSettings) => unknown, without: Keys): Promise<string[]> {
  const before = JSON.stringify(await of(CRAWLER));
  const lost: string[] = [];
  for (const key of KEYS) {
    if (JSON.stringify(await of({ ...CRAWLER, [key]: OTHER[key] })) === before && !without.includes(key))
      lost.push(key);
  }
  return lost;
}

describe('every setting that crawlers are told of', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'crawl-settings-'));
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  /** What our crawler makes of the container that a plan describes. */
  async function startOf(kind: 'crawl' | 'qa', crawler: CrawlerSettings, job = jobOf(kind)): Promise<unknown> {
    const { command, env, files, name } = planOf(kind, crawler, job);
    const paths = new Map(Object.keys(files).map((path) => [path, join(folder, basename(path))]));
    for (const [path, content] of Object.entries(files)) await writeFile(paths.get(path)!, content);
    const argv = command.map((arg) => paths.get(arg) ?? arg);
    return (await readContainerStart(argv, { ...env, HOSTNAME: name })).config;
  }

  it('has another value in this list', () => {
    for (const key of KEYS) expect([key, OTHER[key]]).not.toEqual([key, CRAWLER[key]]);
  });

  it.each(ASKED)('is asked of %s', async (_name, asked, without) => {
    expect(await withoutEffect(asked, without)).toEqual([]);
  });

  it('reaches our crawler in a container', async () => {
    expect(await withoutEffect((crawler) => startOf('crawl', crawler), NOT_OF_OUR_CRAWLER)).toEqual([]);
    const ofChecks = [...NOT_OF_OUR_CRAWLER, ...NOT_OF_CHECKS];
    expect(await withoutEffect((crawler) => startOf('qa', crawler), ofChecks)).toEqual([]);
    const browser = (crawler: CrawlerSettings) => {
      const { command, env, name } = browserPlanOf(crawler);
      return readBrowserStart(command.slice(1), { ...env, HOSTNAME: name });
    };
    expect(await withoutEffect(browser, [...NOT_OF_BROWSERS, ...RESOURCES])).toEqual([]);
  });

  it('reaches a crawl of the local driver', async () => {
    const local = (crawler: CrawlerSettings) => {
      const { allowPrivate, allowAddresses } = crawler;
      const settings = { crawler, allowPrivate, allowAddresses, waczRolloverBytes: 1e9 } as unknown as LocalSettings;
      return crawlerConfig(jobOf('crawl'), '/work', settings, { asksOriginals: false });
    };
    expect(await withoutEffect(local, NOT_OF_LOCAL)).toEqual([]);
  });

  it('reaches every crawler beside those of the workflow, which they are told as they are', async () => {
    const job = jobOf('crawl');
    const workflow = { ...job.config, dedupePagesMinDepth: 1, pageExtraDelay: 7 };
    const settings = { crawler: CRAWLER, allowAddresses: [], waczRolloverBytes: 1e9 } as unknown as LocalSettings;
    const told = [
      await startOf('crawl', CRAWLER, { ...job, config: workflow }),
      crawlerConfig({ ...job, config: workflow }, '/work', settings, { asksOriginals: true }),
    ];
    for (const start of told) expect(start).toMatchObject({ config: { dedupePagesMinDepth: 1, pageExtraDelay: 7 } });
  });
});

/** Settings of crawls that no crawler is told of by itself, and why. */
const NOT_TOLD: Record<string, readonly string[]> = {
  'which driver, and where its engine is': [
    ...['CRAWL_DRIVER', 'DOCKER_HOST', 'CRAWLER_NETWORK', 'KUBECONFIG', 'CRAWLER_NAMESPACE', 'CRAWLER_FQDN_SUFFIX'],
    ...['CRAWLER_STORAGE', 'CRAWLER_STORAGE_CLASS', 'CRAWLER_MIN_AVAIL_STORAGE_RATIO', 'CRAWLER_PRIORITY_CLASS'],
    ...['CRAWL_REDIS_IMAGE', 'CRAWL_REDIS_STORAGE'],
  ],
  'of the local driver alone': ['CHROMIUM_PATH', 'MAX_CONCURRENT_BROWSERS', 'WACZ_ROLLOVER_BYTES', 'CRAWL_CGROUPS'],
  'part of each job': [
    ...['NUM_BROWSERS', 'MAX_BROWSER_WINDOWS', 'MAX_CRAWL_SCALE', 'QA_NUM_BROWSER_WINDOWS', 'CRAWLER_CHANNELS_JSON'],
    ...['DEFAULT_CRAWL_FILENAME_TEMPLATE', 'DEFAULT_CRAWLER_IMAGE_PULL_POLICY', 'CRAWLER_PROXIES_JSON'],
    ...['CRAWLER_PROXIES_LAST_UPDATE', 'DEFAULT_PROXY_ID', 'FRONTEND_ORIGIN', 'DEFAULT_NAMESPACE', 'BACKEND_ORIGIN'],
  ],
  'part of the plan of a container': ['CRAWL_REDIS_URL', 'WACZ_SIGN_URL', 'WACZ_SIGN_TOKEN'],
  'what the service itself does': [
    ...['MIN_QA_CRAWLER_IMAGE', 'MIN_SEED_FILE_CRAWLER_IMAGE', 'MIN_AUTOCLICK_CRAWLER_IMAGE', 'FAST_RETRY_SECS'],
    ...['CRAWL_QUEUE_LIMIT_SCALE', 'PAUSED_CRAWL_LIMIT_MINUTES', 'RATE_LIMIT_DURATION_MINUTES', 'MIGRATION_JOBS_SCALE'],
    ...['OPERATOR_RESYNC_SECONDS', 'CRAWL_DEDUPE_DIGESTS', 'ENABLE_AUTO_RESIZE_INDEX_STORAGE'],
    ...['DEFAULT_BEHAVIOR_TIME_SECONDS', 'DEFAULT_PAGE_LOAD_TIME_SECONDS', 'IDLE_TIMEOUT'],
  ],
};

/** Values of variables that do not take any text or number, and of those that count with others alone. */
const VALUES: Record<string, Record<string, string>> = {
  CRAWL_DRIVER: { CRAWL_DRIVER: 'fake' },
  ALLOW_PRIVATE_ADDRESSES: { ALLOW_PRIVATE_ADDRESSES: 'crawls' },
  CRAWL_ALLOWED_ADDRESSES: { CRAWL_ALLOWED_ADDRESSES: '10.1.0.0/16' },
  CRAWLER_CPU_BASE: { CRAWLER_CPU_BASE: '1' },
  CRAWLER_MEMORY_BASE: { CRAWLER_MEMORY_BASE: '2Gi' },
  CRAWLER_EXTRA_CPU_PER_BROWSER: { CRAWLER_EXTRA_CPU_PER_BROWSER: '1' },
  CRAWLER_EXTRA_MEMORY_PER_BROWSER: { CRAWLER_EXTRA_MEMORY_PER_BROWSER: '2Gi' },
  DISK_UTILIZATION_THRESHOLD: { DISK_UTILIZATION_THRESHOLD: '70' },
  MAX_BROWSER_WINDOWS: { MAX_BROWSER_WINDOWS: '5' },
  MAX_CRAWL_SCALE: { MAX_CRAWL_SCALE: '3' },
  WACZ_SIGN_URL: { WACZ_SIGN_URL: 'http://signer/', WACZ_SIGN_TOKEN: 'token' },
  WACZ_SIGN_TOKEN: { WACZ_SIGN_URL: 'http://signer/', WACZ_SIGN_TOKEN: 'token' },
  CRAWL_REDIS_STORAGE: { CRAWL_REDIS_IMAGE: 'redis:7.4', CRAWL_REDIS_STORAGE: '9Gi' },
};

describe('the settings that concern crawls', () => {
  let folder: string;
  let crawlsOf: (variables: Record<string, string>) => AppConfig['crawls'];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'crawl-settings-'));
    crawlsOf = (variables) => loadConfig({ ...variables, DATA_DIR: folder }).crawls;
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  function other(name: string): Record<string, string> {
    const value: unknown = (new Env() as unknown as Record<string, unknown>)[name];
    if (VALUES[name]) return VALUES[name];
    if (typeof value === 'boolean') return { [name]: String(!value) };
    return { [name]: typeof value === 'number' ? String(value + 1) : `${String(value)}x` };
  }

  /** Whether the variable changes what crawls go by, and what crawlers are told. */
  function changes(name: string): { any: boolean; told: boolean } {
    const [plain, changed] = [crawlsOf({}), crawlsOf(other(name))];
    return {
      any: shown(plain) !== shown(changed),
      told: JSON.stringify(plain.crawler) !== JSON.stringify(changed.crawler),
    };
  }

  it('are told to crawlers, or there is a reason why not', () => {
    const reasons = Object.values(NOT_TOLD).flat();
    const names = [...Object.keys(new Env()), 'MAX_BROWSER_WINDOWS', 'MAX_CRAWL_SCALE'];
    const left: string[] = [];
    for (const name of names) {
      // Variables of other rooms, some of which take few values, are none of the crawls'.
      if (!isOfCrawls(name)) continue;
      if (!changes(name).told && !reasons.includes(name)) left.push(name);
    }
    expect(left).toEqual([]);
  });

  it('have reasons for settings that there are, and that no crawler is told of', () => {
    for (const name of Object.values(NOT_TOLD).flat())
      expect([name, isOfCrawls(name), changes(name).told]).toEqual([name, true, false]);
  });

  function isOfCrawls(name: string): boolean {
    try {
      return changes(name).any || name === 'IDLE_TIMEOUT';
    } catch {
      // A value that the variable does not take: those of crawls are all among VALUES.
      return /CRAWL|BROWSER|PROX/.test(name);
    }
  }
});

/** Secrets hide from JSON. */
const shown = (crawls: AppConfig['crawls']): string =>
  JSON.stringify([crawls, crawls.redisUrl.reveal(), crawls.signer?.token.reveal()]);
