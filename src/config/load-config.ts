import 'reflect-metadata';
import { plainToInstance } from 'class-transformer';
import { validateSync } from 'class-validator';
import { AddressPolicy } from '../../formats/address/address-policy.js';
import { quantityBytes, quantityMillis } from '../common/units/quantity.js';
import type { AppConfig, CrawlerSettings, PrivateAddressUser } from './app-config.js';
import { ownSettings } from './driver-settings.js';
import { CRAWL_DRIVERS, Env, type CrawlDriverName } from './env.js';
import { GeneratedSecrets } from './generated-secrets.js';
import { mailFrom } from './mail-from.js';
import { programVariables } from './program-variables.js';
import { Secret } from './secret.js';

/** Every problem of the environment in one message. */
export class ConfigProblem extends Error {
  constructor(readonly problems: readonly string[]) {
    super(`The configuration has ${problems.length} problem(s):\n${problems.map((p) => `  - ${p}`).join('\n')}`);
  }
}

const WITHOUT_DEFAULT = ['STORAGE_PRESIGN_DURATION_MINUTES', 'MAX_BROWSER_WINDOWS', 'MAX_CRAWL_SCALE'];

/** Reads variables into the typed class; an empty value counts as unset. @throws ConfigProblem */
export function readEnv(variables: Readonly<Record<string, string | undefined>>): Env {
  const known = Object.keys(new Env());
  const names = [...known, ...WITHOUT_DEFAULT];
  const given = names.flatMap((name) => (variables[name] ? [[name, variables[name]] as const] : []));
  const env = plainToInstance(Env, Object.fromEntries(given), { exposeDefaultValues: true });
  const problems = validateSync(env).map(
    ({ property, value, constraints }) =>
      `${property}=${JSON.stringify(value)}: ${Object.values(constraints ?? {}).join('; ')}`,
  );
  problems.push(...containerProblems(env), ...auditProblems(env));
  if (env.PASSWORD_LOGIN === 'off' && !env.OIDC_PROVIDERS_JSON)
    problems.push('PASSWORD_LOGIN=off needs OIDC_PROVIDERS_JSON, or nobody can log in');
  if (problems.length > 0) throw new ConfigProblem(problems);
  return env;
}

function containerProblems({ CRAWL_DRIVER, CRAWL_REDIS_URL, STORAGES_JSON }: Env): string[] {
  const known: Partial<Record<string, { inContainers: boolean }>> = CRAWL_DRIVERS;
  if (!known[CRAWL_DRIVER]?.inContainers) return [];
  return [
    ...(/^rediss?:\/\/[^/]+\/\d+$/.test(CRAWL_REDIS_URL)
      ? []
      : [`CRAWL_DRIVER=${CRAWL_DRIVER} needs CRAWL_REDIS_URL, redis://host:port/db`]),
    ...(STORAGES_JSON ? [] : [`CRAWL_DRIVER=${CRAWL_DRIVER} needs STORAGES_JSON with an S3 storage`]),
  ];
}

function auditProblems({ AUDIT_WEBHOOK_URL: url, AUDIT_WEBHOOK_SECRET: secret }: Env): string[] {
  if (url === '') return [];
  return [
    ...(URL.canParse(url) && /^https?:/.test(url) ? [] : ['AUDIT_WEBHOOK_URL must be an address of http or https']),
    ...(/^whsec_[A-Za-z0-9+/]{32,}={0,2}$/.test(secret)
      ? []
      : ['AUDIT_WEBHOOK_URL needs AUDIT_WEBHOOK_SECRET, whsec_ and 24 bytes or more in base64']),
  ];
}

const listOf = (text: string): string[] =>
  text
    .split(',')
    .map((s) => s.trim())
    .filter((s) => s !== '');

function mongoUrl(env: Env): string {
  if (env.MONGO_DB_URL) return env.MONGO_DB_URL;
  if (!env.MONGO_HOST) return 'mongodb://127.0.0.1:27017';
  const user = encodeURIComponent(env.MONGO_INITDB_ROOT_USERNAME);
  const password = encodeURIComponent(env.MONGO_INITDB_ROOT_PASSWORD);
  return `mongodb://${user}:${password}@${env.MONGO_HOST}:27017`;
}

const accounts = (env: Env, secrets: GeneratedSecrets): AppConfig['accounts'] => ({
  registrationEnabled: env.REGISTRATION_ENABLED,
  registerToOid: env.REGISTER_TO_ORG_ID || null,
  allowDuplicateInvites: env.ALLOW_DUPE_INVITES,
  inviteLifetimeSeconds: env.INVITE_EXPIRE_SECONDS,
  superuserEmail: env.SUPERUSER_EMAIL || 'admin@example.com',
  superuserEmailIsSet: env.SUPERUSER_EMAIL !== '',
  superuserPassword: new Secret(env.SUPERUSER_PASSWORD || secrets.superuserPassword),
  superuserPasswordIsSet: env.SUPERUSER_PASSWORD !== '',
  superuserName: env.SUPERUSER_NAME,
  defaultOrgName: env.DEFAULT_ORG,
  signUpUrl: env.SIGN_UP_URL,
  salesEmail: env.SALES_EMAIL,
  dedupeEnabledDefault: env.DEDUPE_FEATURE_ENABLED_DEFAULT,
  locales: listOf(env.LOCALES_ENABLED).length > 0 ? listOf(env.LOCALES_ENABLED) : null,
});

const maxBrowserWindows = ({ MAX_BROWSER_WINDOWS, MAX_CRAWL_SCALE, NUM_BROWSERS }: Env): number =>
  MAX_BROWSER_WINDOWS ?? (MAX_CRAWL_SCALE ? MAX_CRAWL_SCALE * NUM_BROWSERS : 8);

/** What every crawler is told, wherever it runs. */
export const crawlerSettings = (env: Env): CrawlerSettings => ({
  sessionBytes: env.CRAWLER_SESSION_SIZE_LIMIT_BYTES,
  sessionSeconds: env.CRAWLER_SESSION_TIME_LIMIT_SECONDS,
  maxPages: env.MAX_PAGES_PER_CRAWL,
  diskUsePercent: env.DISK_UTILIZATION_THRESHOLD,
  rateLimitThreshold: env.RATE_LIMIT_THRESHOLD,
  requestWaitSeconds: env.CRAWLER_REQUEST_WAIT_SECONDS,
  logging: env.CRAWLER_LOGGING_OPTS,
  fullText: env.CRAWLER_EXTRACT_FULL_TEXT,
  allowPrivate: listOf(env.ALLOW_PRIVATE_ADDRESSES).includes('crawls'),
  allowAddresses: listOf(env.CRAWL_ALLOWED_ADDRESSES),
  extraArgs: env.CRAWLER_EXTRA_ARGS,
  cpuMillis: quantityMillis(env.CRAWLER_CPU_BASE),
  memoryBytes: quantityBytes(env.CRAWLER_MEMORY_BASE),
  extraCpuMillis: quantityMillis(env.CRAWLER_EXTRA_CPU_PER_BROWSER),
  extraMemoryBytes: quantityBytes(env.CRAWLER_EXTRA_MEMORY_PER_BROWSER),
});

const crawls = (env: Env): AppConfig['crawls'] => ({
  driver: env.CRAWL_DRIVER as CrawlDriverName,
  ...CRAWL_DRIVERS[env.CRAWL_DRIVER as CrawlDriverName],
  ...ownSettings(env),
  chromiumPath: env.CHROMIUM_PATH,
  maxConcurrentBrowsers: env.MAX_CONCURRENT_BROWSERS,
  waczRolloverBytes: env.WACZ_ROLLOVER_BYTES,
  cgroups: listOf(env.CRAWL_CGROUPS),
  windowsPerInstance: env.NUM_BROWSERS,
  maxBrowserWindows: maxBrowserWindows(env),
  maxPagesPerCrawl: env.MAX_PAGES_PER_CRAWL,
  filenameTemplate: env.DEFAULT_CRAWL_FILENAME_TEMPLATE,
  channelsFile: env.CRAWLER_CHANNELS_JSON,
  imagePullPolicy: env.DEFAULT_CRAWLER_IMAGE_PULL_POLICY,
  proxiesFile: env.CRAWLER_PROXIES_JSON,
  proxiesUpdateFile: env.CRAWLER_PROXIES_LAST_UPDATE,
  defaultProxyId: env.DEFAULT_PROXY_ID || null,
  minQaImage: env.MIN_QA_CRAWLER_IMAGE,
  minSeedFileImage: env.MIN_SEED_FILE_CRAWLER_IMAGE,
  minAutoclickImage: env.MIN_AUTOCLICK_CRAWLER_IMAGE,
  queueLimitScale: env.CRAWL_QUEUE_LIMIT_SCALE,
  pausedLimitMinutes: env.PAUSED_CRAWL_LIMIT_MINUTES,
  rateLimitMinutes: env.RATE_LIMIT_DURATION_MINUTES,
  tickSeconds: env.OPERATOR_RESYNC_SECONDS,
  fastRetrySeconds: env.FAST_RETRY_SECS || env.OPERATOR_RESYNC_SECONDS,
  defaultBehaviorSeconds: env.DEFAULT_BEHAVIOR_TIME_SECONDS,
  defaultPageLoadSeconds: env.DEFAULT_PAGE_LOAD_TIME_SECONDS,
  qaBrowserWindows: env.QA_NUM_BROWSER_WINDOWS,
  profileIdleSeconds: env.IDLE_TIMEOUT,
  redisUrl: new Secret(env.CRAWL_REDIS_URL),
  dedupeCopyDigests: env.CRAWL_DEDUPE_DIGESTS,
  ownRedis: env.CRAWL_REDIS_IMAGE ? { image: env.CRAWL_REDIS_IMAGE, storageSize: env.CRAWL_REDIS_STORAGE } : null,
  namespace: env.CRAWLER_NAMESPACE,
  crawler: crawlerSettings(env),
  signer:
    env.WACZ_SIGN_URL && env.WACZ_SIGN_TOKEN
      ? { url: env.WACZ_SIGN_URL, token: new Secret(env.WACZ_SIGN_TOKEN) }
      : null,
  frontendOrigin: `${env.FRONTEND_ORIGIN}.${env.DEFAULT_NAMESPACE}`,
  backendOrigin: env.BACKEND_ORIGIN,
  indexResizeEnabled: env.ENABLE_AUTO_RESIZE_INDEX_STORAGE,
  migrationScale: env.MIGRATION_JOBS_SCALE,
});

/** One week minus one minute: S3 refuses signatures that live for seven days (SigV4). */
const MAX_PRESIGN_MINUTES = 10_079;

const storage = (env: Env, secrets: GeneratedSecrets): AppConfig['storage'] => ({
  storagesFile: env.STORAGES_JSON,
  customEnabled: env.CUSTOM_STORAGES_ENABLED,
  isScratch: false,
  presignSeconds:
    Math.min(env.STORAGE_PRESIGN_DURATION_MINUTES ?? env.PRESIGN_DURATION_MINUTES, MAX_PRESIGN_MINUTES) * 60,
  pathAddressedEndpoint: env.LOCAL_MINIO_ACCESS_PATH,
  urlSigningKey: new Secret(env.URL_SIGNING_KEY || secrets.urlSigningKey),
  replicaDeletionDelayDays: env.REPLICA_DELETION_DELAY_DAYS,
  timeoutSeconds: env.STORAGE_TIMEOUT_SECONDS,
});

const auth = (env: Env, secrets: GeneratedSecrets): AppConfig['auth'] => ({
  passwordSecret: new Secret(env.PASSWORD_SECRET || secrets.passwordSecret),
  tokenLifetimeMinutes: env.JWT_TOKEN_LIFETIME_MINUTES,
  passwordHashCost: env.PASSWORD_HASH_COST,
  sessionDays: env.SESSION_DAYS,
  loginFailuresPerAddress: env.LOGIN_FAILURES_PER_ADDRESS,
  keyRequestsPerMinute: env.API_KEY_REQUESTS_PER_MINUTE,
  oidcProvidersFile: env.OIDC_PROVIDERS_JSON,
  oidcAllowsHttp: listOf(env.ALLOW_PRIVATE_ADDRESSES).includes('sign-in'),
  superusersNeedFactor: env.SUPERUSERS_NEED_SECOND_FACTOR,
  refusesCommonPasswords: env.REFUSE_COMMON_PASSWORDS,
  passwordLogin: env.PASSWORD_LOGIN as AppConfig['auth']['passwordLogin'],
  sharedSecret: new Secret(env.BTRIX_SUBS_APP_API_KEY),
  sharedSecretOpensSubscriptions: env.SHARED_SECRET_SUBSCRIPTIONS,
});

/** Without a folder nothing is done by schedule. */
function backup(env: Env): AppConfig['backup'] {
  const target = env.BACKUP_TARGET;
  const scheduled = (cron: string): string => (target === '' ? '' : cron);
  return {
    target,
    cron: scheduled(env.BACKUP_SCHEDULE),
    keyFile: env.BACKUP_KEY_FILE,
    keep: keptBackups(env),
    rehearsal: { cron: scheduled(env.BACKUP_REHEARSAL_SCHEDULE), folder: env.BACKUP_REHEARSAL_FOLDER },
  };
}

function keptBackups({ BACKUP_KEEP }: Env): AppConfig['backup']['keep'] {
  const [daily = 0, weekly = 0, monthly = 0] = BACKUP_KEEP.split('/').map(Number);
  return { daily, weekly, monthly };
}

const addresses = (env: Env): AppConfig['addresses'] => {
  const opened = new Set(listOf(env.ALLOW_PRIVATE_ADDRESSES));
  const policy = (user: PrivateAddressUser, ranges: string[] = []): AddressPolicy =>
    new AddressPolicy(opened.has(user), ranges);
  return {
    crawls: policy('crawls', listOf(env.CRAWL_ALLOWED_ADDRESSES)),
    webhooks: policy('webhooks'),
    storages: policy('storages'),
    timestamps: policy('timestamps'),
    'sign-in': policy('sign-in'),
  };
};

const mail = (env: Env): AppConfig['mail'] => ({
  sender: env.EMAIL_SENDER,
  password: new Secret(env.EMAIL_PASSWORD),
  replyTo: env.EMAIL_REPLY_TO,
  from: mailFrom(env),
  askedPerAddress: env.ASKED_MAILS_PER_ADDRESS,
  perAddress: env.MAILS_PER_ADDRESS,
  failedJobsDigestMinutes: env.FAILED_JOBS_DIGEST_MINUTES,
  support: env.EMAIL_SUPPORT,
  smtpHost: env.EMAIL_SMTP_HOST,
  smtpPort: env.EMAIL_SMTP_PORT,
  requireTls: env.EMAIL_SMTP_USE_TLS,
  surveyUrl: env.USER_SURVEY_URL,
  templateEndpoint: env.EMAIL_TEMPLATE_ENDPOINT.replace(/\/+$/, ''),
  logsText: env.LOG_SENT_EMAILS,
  isProduction: env.BTRIX_ENV === 'production',
});

const http = (env: Env): AppConfig['http'] => ({
  host: env.HOST,
  port: env.PORT,
  appOrigin: env.APP_ORIGIN.replace(/\/+$/, ''),
  replayOrigin: env.REPLAY_ORIGIN && new URL(env.REPLAY_ORIGIN).origin,
  replayPort: env.REPLAY_PORT,
  trustedProxyHops: env.TRUSTED_PROXY_HOPS,
  bodySilenceSeconds: env.BODY_SILENCE_SECONDS,
  metricsPort: env.METRICS_PORT,
  shutdownDelaySeconds: env.SHUTDOWN_DELAY_SECONDS,
});

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value) as unknown[])
    if (typeof inner === 'object' && inner !== null && !(inner instanceof Secret) && !(inner instanceof Set))
      deepFreeze(inner);
  return Object.freeze(value);
}

/** The settings of a process. Reads or creates the generated secrets of DATA_DIR. @throws ConfigProblem */
export function loadConfig(variables: Readonly<Record<string, string | undefined>>): AppConfig {
  const env = readEnv(variables);
  const secrets = GeneratedSecrets.of(env.DATA_DIR);
  return deepFreeze<AppConfig>({
    http: http(env),
    log: { format: env.LOG_FORMAT as 'json' | 'text', level: env.LOG_LEVEL },
    dataDir: env.DATA_DIR,
    programs: programVariables(variables),
    database: { url: new Secret(mongoUrl(env)), name: env.MONGO_DB_NAME, slowCommandMs: env.SLOW_DATABASE_MS },
    auth: auth(env, secrets),
    accounts: accounts(env, secrets),
    billing: { enabled: env.BILLING_ENABLED, serviceUrl: env.BTRIX_SUBS_APP_URL, plansJson: env.AVAILABLE_PLANS },
    mail: mail(env),
    storage: storage(env, secrets),
    uploads: {
      maxWaczBytes: env.MAX_WACZ_FILE_SIZE_BYTES,
      maxConcurrentSplits: env.MAX_CONCURRENT_SPLITS,
      stuckCron: env.RETRY_STUCK_UPLOADS_CRON_SCHEDULE,
      stuckAfterMinutes: env.STUCK_UPLOAD_GRACE_MINUTES,
      resumableMinutes: env.RESUMABLE_UPLOAD_EXPIRY_MINUTES,
    },
    fixity: {
      cron: env.FIXITY_CRON_SCHEDULE,
      intervalDays: env.FIXITY_INTERVAL_DAYS,
      maxBytesPerRun: env.FIXITY_MAX_BYTES,
    },
    audit: {
      retentionDays: env.AUDIT_RETENTION_DAYS,
      syslogUrl: env.AUDIT_SYSLOG_URL,
      webhookUrl: env.AUDIT_WEBHOOK_URL,
      webhookSecret: new Secret(env.AUDIT_WEBHOOK_SECRET),
    },
    backup: backup(env),
    signing: { enabled: env.WACZ_SIGNING, tsaUrl: env.TSA_URL },
    files: { cleanupCron: env.CLEANUP_JOB_CRON_SCHEDULE, cleanupAfterMinutes: env.CLEANUP_FILES_AFTER_MINUTES },
    crawls: crawls(env),
    webhooks: {
      pauseAfterHours: env.WEBHOOK_PAUSE_AFTER_HOURS,
      backoffBaseMs: env.WEBHOOK_BACKOFF_BASE_MS,
      timeoutMs: env.WEBHOOK_TIMEOUT_MS,
    },
    addresses: addresses(env),
  });
}
