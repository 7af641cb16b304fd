import { instanceName, storeKeys } from '../../../formats/redis-keys/run-keys.js';
import { withTrailingSlash } from '../../common/text/trailing-slash.js';
import type { CrawlerSettings } from '../../config/app-config.js';
import type { CrawlJobSpec, RunProxy, RunStorage } from '../crawl-driver.types.js';

/** One instance of a run as a container. Both container drivers create it from this plan (crawling §14.2). */
export interface InstancePlan {
  readonly jobId: string;
  readonly oid: string;
  readonly kind: 'crawl' | 'qa';
  readonly index: number;
  /** Name of the container, and its host name. */
  readonly name: string;
  readonly image: string;
  readonly imagePullPolicy: string;
  /** Number of browser windows. */
  readonly workers: number;
  readonly command: string[];
  readonly env: Record<string, string>;
  /** Config files by absolute path. They carry presigned URLs. */
  readonly files: Record<string, string>;
  /** CPU in thousandths of a core. */
  readonly cpuMillis: number;
  readonly memoryBytes: number;
  /** Whether the container gets scratch space that outlives it. */
  readonly persistent: boolean;
}

export interface PlanSettings {
  /** Address for the crawlers: `redis://host:port/db`. */
  readonly redisUrl: string;
  readonly crawler: CrawlerSettings;
  /** The service that signs the WACZs of the crawlers. Without it they are not signed. */
  readonly signer?: { url: string; token: string } | null;
}

/** User and group of the official image. */
export const CRAWLER_USER = 201407;

const CONFIG_FILE = '/tmp/config/crawl-config.json';
const QA_FILE = '/tmp/qa/qa-config.json';
/** Folder for the keys of proxies that are reached by ssh, and for the list of hosts with a proxy of their own. */
export const PROXIES_FOLDER = '/tmp/proxies';
const HOST_PROXIES_FILE = `${PROXIES_FOLDER}/host-proxies.json`;
/** The list for the case that no host has a proxy of its own. */
const NO_HOST_PROXIES = JSON.stringify({ matchHosts: {}, proxies: {} });

export const HEALTH_PORT = 6065;
export const SCREENCAST_PORT = 9037;
/** Seconds that a crawler has after SIGTERM to finish its pages. */
export const STOP_GRACE_SECONDS = 600;

function crawlArguments(crawler: CrawlerSettings): string {
  const { sessionBytes, sessionSeconds, maxPages, diskUsePercent, rateLimitThreshold } = crawler;
  return [
    `--sizeLimit ${String(sessionBytes)} --timeLimit ${String(sessionSeconds)} --maxPageLimit ${String(maxPages)}`,
    `--healthCheckPort ${String(HEALTH_PORT)} --diskUtilization ${String(diskUsePercent)} --logging ${crawler.logging}`,
    `--text ${crawler.fullText} --rateLimitInterruptCount ${String(rateLimitThreshold)} --generateWACZ`,
    `--collection thecrawl --screencastPort ${String(SCREENCAST_PORT)} --logErrorsToRedis --logBehaviorsToRedis`,
    '--writePagesToRedis --restartsOnError --headless --screenshot view,thumbnail',
    ...(crawler.extraArgs ? [crawler.extraArgs] : []),
  ].join(' ');
}

/**
 * Plans for the first `count` instances of a run.
 * @throws when the run's storage is not S3: containers upload by themselves
 */
export function instancePlans(spec: CrawlJobSpec, count: number, settings: PlanSettings): InstancePlan[] {
  return Array.from({ length: count }, (_, index) => instancePlan(spec, index, settings));
}

function instancePlan(spec: CrawlJobSpec, index: number, settings: PlanSettings): InstancePlan {
  const { jobId, oid, kind, image, imagePullPolicy } = spec;
  const first = index * spec.windowsPerInstance;
  const workers = Math.max(1, Math.min(spec.windowsPerInstance, spec.browserWindows - first));
  return {
    jobId,
    oid,
    kind,
    index,
    name: instanceName(jobId, index),
    image,
    imagePullPolicy,
    workers,
    command: command(spec, index, workers, settings),
    env: environment(spec, settings),
    files: files(spec),
    ...instanceResources(workers, settings.crawler),
    persistent: !spec.singlePage,
  };
}

/** CPU and memory of a container with this many browser windows (crawling §15). */
export const instanceResources = (windows: number, crawler: CrawlerSettings) => ({
  cpuMillis: crawler.cpuMillis + crawler.extraCpuMillis * (windows - 1),
  memoryBytes: crawler.memoryBytes + crawler.extraMemoryBytes * (windows - 1),
});

function files({ kind, config, qaSource, proxy }: CrawlJobSpec): Record<string, string> {
  const found: Record<string, string> = { [CONFIG_FILE]: JSON.stringify(config) };
  if (kind === 'qa') found[QA_FILE] = JSON.stringify(qaSource ?? { resources: [] });
  else if (proxy) found[HOST_PROXIES_FILE] = NO_HOST_PROXIES;
  return found;
}

function command(spec: CrawlJobSpec, index: number, workers: number, { redisUrl }: PlanSettings): string[] {
  const args = [spec.kind, '--config', CONFIG_FILE, '--workers', String(workers), '--redisStoreUrl', redisUrl];
  if (spec.kind === 'qa') return [...args, '--qaSource', QA_FILE];
  if (spec.dedupeIndexUrl) args.push('--redisDedupeUrl', spec.dedupeIndexUrl);
  if (spec.profile) args.push('--profile', `@${profileKey(spec)}`);
  if (spec.profile?.save && index === 0) args.push('--saveProfile');
  if (spec.proxy) args.push(...proxyOptions(spec.proxy), '--proxyServerConfig', HOST_PROXIES_FILE);
  return args;
}

export function proxyOptions({ id, url, hasPrivateKey, hasHostKey }: RunProxy): string[] {
  const options = ['--proxyServer', url];
  if (hasPrivateKey) options.push('--sshProxyPrivateKeyFile', `${PROXIES_FOLDER}/${id}-private-key`);
  if (hasHostKey) options.push('--sshProxyKnownHostsFile', `${PROXIES_FOLDER}/${id}-known-hosts`);
  return options;
}

/**
 * Key of the profile below the storage prefix. In an org's own storage the prefix has no org folder, but profiles are
 * in that folder there too.
 */
function profileKey({ oid, storage, profile }: CrawlJobSpec): string {
  return storage.keyPrefix === '' ? `${oid}/${profile?.key ?? ''}` : (profile?.key ?? '');
}

function environment(spec: CrawlJobSpec, { redisUrl, crawler, signer }: PlanSettings): Record<string, string> {
  const crawlArgs = crawlArguments(crawler);
  return {
    HOME: '/crawls/home',
    CRAWL_ID: spec.jobId,
    WEBHOOK_URL: `${redisUrl}/${storeKeys(spec.jobId).files}`,
    STORE_FILENAME: spec.storageFilename,
    STORE_USER: spec.userId,
    WARC_PREFIX: spec.warcPrefix,
    ...storeVariables(spec.storage),
    ...(spec.isSeedFileGuarded ? { SEED_FILE_GUARDED: '1' } : {}),
    ...reachVariables(crawler),
    CRAWLER_REQUEST_WAIT_SECONDS: String(crawler.requestWaitSeconds),
    CRAWL_ARGS: crawlArgs,
    QA_ARGS: `${crawlArgs} --behaviors=siteSpecific`,
    ...(signer ? { WACZ_SIGN_URL: signer.url, WACZ_SIGN_TOKEN: signer.token } : {}),
  };
}

/** Variables for the private addresses that the project's own crawler may reach. The official crawler ignores them. */
export const reachVariables = ({ allowPrivate, allowAddresses }: CrawlerSettings): Record<string, string> => ({
  ...(allowPrivate ? { ALLOW_PRIVATE_ADDRESSES: 'crawls' } : {}),
  ...(allowAddresses.length > 0 ? { CRAWL_ALLOWED_ADDRESSES: allowAddresses.join(',') } : {}),
});

/** Variables with which a container reaches the folder of its files. @throws when the storage is not S3 */
export function storeVariables({ s3, keyPrefix }: RunStorage): Record<string, string> {
  if (!s3) throw new Error('Containers of the crawler image need an S3 storage: they upload their files themselves');
  const endpoint = withTrailingSlash(s3.endpointUrl);
  return {
    STORE_PATH: keyPrefix,
    STORE_ENDPOINT_URL: endpoint,
    STORE_ENDPOINT_NO_BUCKET_URL: new URL('/', endpoint).href,
    STORE_ACCESS_KEY: s3.accessKey,
    STORE_SECRET_KEY: s3.secretKey,
    STORE_REGION: s3.region,
    STORE_S3_PROVIDER: 'Other',
    TYPE: 's3',
  };
}
