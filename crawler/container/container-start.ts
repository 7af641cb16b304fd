import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs, type ParseArgsConfig } from 'node:util';
import { pageLimit } from '../../formats/page-limit.js';
import {
  WORK_FILES,
  type CrawlModeConfig,
  type WorkflowConfig,
  type ProxyConfig,
  type QaModeConfig,
  type QaSource,
  type SharedQueueConfig,
} from '../protocol.js';
import type { S3Target } from './s3-files.js';

/** Start options of a crawler container, from its command line and environment (spec crawling §14.2). */
export interface ContainerStart {
  readonly jobId: string;
  /** `crawl-<jobId>-<i>`: the instance's host name and its name in Redis. */
  readonly uid: string;
  readonly index: number;
  readonly redisUrl: string;
  /** Redis list for the file messages. */
  readonly doneKey: string;
  /** Value of `user` in file messages. */
  readonly userId: string;
  readonly s3: S3Target;
  readonly config: CrawlModeConfig | QaModeConfig;
  /** Key of the profile to start from, below the storage prefix. */
  readonly profileKey?: string;
  readonly seedFileUrl?: string;
  readonly isSeedFileGuarded: boolean;
  /** Redis with the index of bodies that earlier items of the collection hold. */
  readonly dedupeUrl?: string;
  readonly healthPort: number;
  readonly screencastPort: number;
}

/** The command line or environment is not enough for a run. The text says what is missing. */
export class UnusableArguments extends Error {}

const OPTIONS: ParseArgsConfig['options'] = {
  url: { type: 'string' },
  shutdownWait: { type: 'string' },
  config: { type: 'string' },
  workers: { type: 'string' },
  redisStoreUrl: { type: 'string' },
  redisDedupeUrl: { type: 'string' },
  qaSource: { type: 'string' },
  profile: { type: 'string' },
  saveProfile: { type: 'boolean' },
  proxyServer: { type: 'string' },
  sshProxyPrivateKeyFile: { type: 'string' },
  sshProxyKnownHostsFile: { type: 'string' },
  sizeLimit: { type: 'string' },
  timeLimit: { type: 'string' },
  maxPageLimit: { type: 'string' },
  healthCheckPort: { type: 'string' },
  screencastPort: { type: 'string' },
  diskUtilization: { type: 'string' },
  rateLimitInterruptCount: { type: 'string' },
  netIdleWait: { type: 'string' },
};

export type Variables = Readonly<Record<string, string | undefined>>;

/**
 * Reads one run from `argv` (`crawl|qa` and its options; options of the official image without an effect here are
 * ignored), the options in CRAWL_ARGS or QA_ARGS, the environment and the config files that these name.
 * @throws UnusableArguments
 */
export async function readContainerStart(argv: readonly string[], env: Variables): Promise<ContainerStart> {
  const [mode, ...given] = argv;
  if (mode !== 'crawl' && mode !== 'qa') throw new UnusableArguments('The first argument is crawl or qa.');
  const added = (mode === 'qa' ? env['QA_ARGS'] : undefined) ?? env['CRAWL_ARGS'] ?? '';
  // The last occurrence of an option counts, so the command line overrides the environment.
  const options = Options.of([...added.split(/\s+/).filter(Boolean), ...given]);
  const uid = required(env, 'HOSTNAME');
  const done = splitDoneUrl(required(env, 'WEBHOOK_URL'));
  const redisUrl = options.text('redisStoreUrl') ?? done.redisUrl;
  const index = Number(/-(\d+)$/.exec(uid)?.[1] ?? 0);
  const file = JSON.parse(await readFile(options.text('config') ?? missing('--config'), 'utf8')) as ConfigFile;
  return {
    jobId: required(env, 'CRAWL_ID'),
    uid,
    index,
    redisUrl,
    doneKey: done.doneKey,
    userId: env['STORE_USER'] ?? '',
    s3: storeOf(env),
    ...profileOf(options),
    ...(file.seedFile ? { seedFileUrl: file.seedFile } : {}),
    isSeedFileGuarded: env['SEED_FILE_GUARDED'] === '1',
    ...dedupeOf(options),
    healthPort: options.number('healthCheckPort', 0),
    screencastPort: options.number('screencastPort', 0),
    config: mode === 'qa' ? await qaConfig(options, env, file) : crawlConfig(options, env, file, { redisUrl, index }),
  };
}

function dedupeOf(options: Options): { dedupeUrl?: string } {
  const dedupeUrl = options.text('redisDedupeUrl');
  return dedupeUrl === undefined ? {} : { dedupeUrl };
}

type ConfigFile = WorkflowConfig & { seedFile?: string };

/** Options as given, by name. */
export class Options {
  private constructor(private readonly values: Readonly<Record<string, unknown>>) {}

  /** Ignores options of the official image that have no effect here. */
  static of(args: string[]): Options {
    return new Options(parseArgs({ args, options: OPTIONS, strict: false, allowPositionals: true }).values);
  }

  text(name: string): string | undefined {
    const value = this.values[name];
    return typeof value === 'string' && value !== '' ? value : undefined;
  }

  number(name: string, fallback: number): number {
    return Number(this.text(name) ?? fallback);
  }

  flag(name: string): boolean {
    return this.values[name] === true;
  }
}

/** Working directory, browser and network of every mode. */
export function machineOf(env: Variables) {
  return {
    dir: resolve(env['CRAWLS_DIR'] ?? '/crawls', required(env, 'HOSTNAME')),
    ...(env['CHROMIUM_PATH'] ? { chromiumPath: env['CHROMIUM_PATH'] } : {}),
    allowPrivate: words(env['ALLOW_PRIVATE_ADDRESSES']).includes('crawls'),
    allowAddresses: words(env['CRAWL_ALLOWED_ADDRESSES']),
  };
}

const words = (list = ''): string[] =>
  list
    .split(',')
    .map((word) => word.trim())
    .filter(Boolean);

/** The profile to start from; `@` stands for the storage prefix. */
export function profileOf(options: Options): { profileKey?: string } {
  const profile = options.text('profile');
  return profile?.startsWith('@') ? { profileKey: profile.slice(1) } : {};
}

export function proxyOf(options: Options): { proxy?: ProxyConfig } {
  const url = options.text('proxyServer');
  const sshPrivateKeyFile = options.text('sshProxyPrivateKeyFile');
  const sshKnownHostsFile = options.text('sshProxyKnownHostsFile');
  if (!url) return {};
  return {
    proxy: {
      url,
      ...(sshPrivateKeyFile ? { sshPrivateKeyFile } : {}),
      ...(sshKnownHostsFile ? { sshKnownHostsFile } : {}),
    },
  };
}

/** The config fields that crawls and quality checks share. */
function baseConfig(options: Options, env: Variables, { seedFile: _seedFile, ...config }: ConfigFile) {
  return {
    jobId: required(env, 'CRAWL_ID'),
    ...machineOf(env),
    config: { ...config, limit: pageLimit(config.limit ?? 0, options.number('maxPageLimit', 0)) },
    windows: Math.max(1, options.number('workers', 1)),
    storageFilename: env['STORE_FILENAME'] || '@ts-@hostsuffix.wacz',
    warcPrefix: env['WARC_PREFIX'] || 'crawl',
    rolloverBytes: options.number('sizeLimit', 10_000_000_000),
  };
}

function crawlConfig(options: Options, env: Variables, file: ConfigFile, shared: SharedQueueConfig): CrawlModeConfig {
  return {
    ...baseConfig(options, env, file),
    mode: 'crawl',
    hasSeedFile: file.seedFile !== undefined,
    hasProfile: options.text('profile') !== undefined,
    saveProfile: options.flag('saveProfile'),
    sessionSeconds: options.number('timeLimit', 18_000),
    diskUsePercent: options.number('diskUtilization', 90),
    rateLimitThreshold: options.number('rateLimitInterruptCount', 5),
    requestWaitSeconds: options.number('netIdleWait', Number(env['CRAWLER_REQUEST_WAIT_SECONDS'] || 15)),
    ...(options.text('redisDedupeUrl') === undefined ? {} : { asksOriginals: true }),
    shared,
    ...proxyOf(options),
  };
}

async function qaConfig(options: Options, env: Variables, file: ConfigFile): Promise<QaModeConfig> {
  const sources = await qaSources(options.text('qaSource') ?? missing('--qaSource'));
  return { ...baseConfig(options, env, file), mode: 'qa', sources };
}

export function storeOf(env: Variables): S3Target {
  return {
    endpointUrl: required(env, 'STORE_ENDPOINT_URL'),
    accessKey: required(env, 'STORE_ACCESS_KEY'),
    secretKey: required(env, 'STORE_SECRET_KEY'),
    region: env['STORE_REGION'] || 'us-east-1',
    prefix: env['STORE_PATH'] ?? '',
  };
}

/** Path of an input file in the working directory of the run. */
export function workFile(given: ContainerStart, name: keyof typeof WORK_FILES): string {
  return join(given.config.dir, WORK_FILES[name]);
}

async function qaSources(path: string): Promise<QaSource[]> {
  const { resources } = JSON.parse(await readFile(path, 'utf8')) as {
    resources: { name: string; path: string; size: number; fromDependency?: boolean; guarded?: boolean }[];
  };
  return resources.map(({ name, path: url, size, fromDependency, guarded }) => ({
    name,
    url,
    sizeBytes: size,
    fromDependency: fromDependency ?? false,
    guarded: guarded ?? false,
  }));
}

/** `redis://host:port/db/key` (spec crawling §14.2, WEBHOOK_URL). */
function splitDoneUrl(url: string): { redisUrl: string; doneKey: string } {
  const parts = url.split('/');
  if (parts.length !== 5) throw new UnusableArguments('WEBHOOK_URL is not redis://host:port/db/key.');
  return { redisUrl: parts.slice(0, 4).join('/'), doneKey: parts[4]! };
}

export function required(env: Variables, name: string): string {
  return env[name] || missing(name);
}

export function missing(name: string): never {
  throw new UnusableArguments(`${name} is not set.`);
}
