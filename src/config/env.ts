import { Transform } from 'class-transformer';
import { IsIn, IsNumber, IsOptional, Min } from 'class-validator';
import {
  AddressRanges,
  Cores,
  Counts,
  Cron,
  EmailAddress,
  Flag,
  Origin,
  Size,
  SyslogUrl,
  Text,
  Whole,
  WordsOf,
} from './variable-kinds.js';

const PRIVATE_RANGE_USERS = ['crawls', 'webhooks', 'storages', 'timestamps', 'sign-in'];

/** How crawls can run. Crawlers in containers share nothing with the API but Redis and the object store. */
export const CRAWL_DRIVERS = {
  local: { inContainers: false },
  docker: { inContainers: true },
  kubernetes: { inContainers: true },
  fake: { inContainers: false },
} as const;

export type CrawlDriverName = keyof typeof CRAWL_DRIVERS;

/**
 * Every environment variable the service reads. An empty value counts as unset. The README's table of settings is made
 * from this class; the first sentence of each comment is what an administrator reads.
 */
export class Env {
  /** Address the API listens on. */
  @Text() HOST: string = '127.0.0.1';
  /** TCP port of the API. */
  @Whole(0, 65535) PORT: number = 8000;
  /** Folder of everything the service keeps on disk: database, files, work directories, mails, generated secrets. */
  @Text() DATA_DIR: string = './data';
  /** Time a process that was asked to end goes on answering, while /readyz says 503, seconds. */
  @Whole(0, 600) SHUTDOWN_DELAY_SECONDS: number = 0;
  /** External base URL without trailing slash, for links in mails, webhooks and absolute URLs; unset: the address listened on. */
  @Text() APP_ORIGIN: string = '';
  /** Base URL on which archives are replayed, another host than APP_ORIGIN that leads to the same service; unset: REPLAY_PORT. */
  @Origin() REPLAY_ORIGIN: string = '';
  /** TCP port for replaying archives apart from logins, on HOST; 0: replay opens in a tab on the address of the API. */
  @Whole(0, 65535) REPLAY_PORT: number = 0;
  /** `json` for structured logs, `text` for people. */
  @IsIn(['json', 'text']) LOG_FORMAT: string = 'text';
  /** Least severe level that is logged: trace, debug, info, warn, error, silent. */
  @Text() LOG_LEVEL: string = 'info';
  /** TCP port of the Prometheus metrics on HOST; 0 switches them off. */
  @Whole(0, 65535) METRICS_PORT: number = 0;

  /** Connection string of MongoDB, a replica set. */
  @Text() MONGO_DB_URL: string = '';
  /** Host of MongoDB where MONGO_DB_URL is not set. */
  @Text() MONGO_HOST: string = '';
  /** User name that goes with MONGO_HOST. */
  @Text() MONGO_INITDB_ROOT_USERNAME: string = '';
  /** Password that goes with MONGO_HOST. */
  @Text() MONGO_INITDB_ROOT_PASSWORD: string = '';
  /** Name of the database. */
  @Text() MONGO_DB_NAME: string = 'browsertrixcloud';
  /** Commands to the database that take longer are logged, by the names of what they ask; ms, 0: none. */
  @Whole(0, 600_000) SLOW_DATABASE_MS: number = 0;

  /** Key that signs login tokens; generated once and kept in DATA_DIR when unset. */
  @Text() PASSWORD_SECRET: string = '';
  /** Key that signs URLs of the local store; generated once and kept in DATA_DIR when unset. */
  @Text() URL_SIGNING_KEY: string = '';
  /** Lifetime of a login token, minutes. */
  @Whole(1) JWT_TOKEN_LIFETIME_MINUTES: number = 60;
  /** Cost of new password hashes, bcrypt's: one more takes twice as long. 12, as Browsertrix has it, is a quarter of a second. */
  @Whole(10, 15) PASSWORD_HASH_COST: number = 12;
  /** Time after which a session ends however often its token was renewed, days; at least one lifetime of a token. */
  @Whole(1) SESSION_DAYS: number = 30;
  /** File with the list of providers of OpenID Connect by which people sign in; unset: none. docs/sign-in.md */
  @Text() OIDC_PROVIDERS_JSON: string = '';
  /** Who may log in with a password: everybody (`on`), superusers alone (`superuser`), nobody (`off`); API keys always. */
  @IsIn(['on', 'superuser', 'off']) PASSWORD_LOGIN: string = 'on';
  /** Whether superusers who log in without a second factor count as normal users until they have one. docs/second-factor.md */
  @Flag() SUPERUSERS_NEED_SECOND_FACTOR: boolean = false;
  /** Whether new passwords that are among the commonest are refused of every client; the console refuses them anyhow. docs/accounts.md */
  @Flag() REFUSE_COMMON_PASSWORDS: boolean = false;
  /** Age from which closed days of the audit log are deleted, days; 0: never. docs/audit.md */
  @Whole(0) AUDIT_RETENTION_DAYS: number = 400;
  /** Receiver of the audit log by syslog (RFC 5424): tcp://, tls:// or udp://host:port; unset: none. docs/audit.md */
  @SyslogUrl() AUDIT_SYSLOG_URL: string = '';
  /** URL to which the audit log is posted, http(s); unset: none. */
  @Text() AUDIT_WEBHOOK_URL: string = '';
  /** Secret that signs what is posted there: `whsec_` and at least 24 bytes in base64. */
  @Text() AUDIT_WEBHOOK_SECRET: string = '';
  /** Failed logins allowed per client address and hour; 0 = no limit. */
  @Whole(0) LOGIN_FAILURES_PER_ADDRESS: number = 100;
  /** Requests allowed per API key, minute and process; 0 = no limit. */
  @Whole(0) API_KEY_REQUESTS_PER_MINUTE: number = 600;
  /** Number of reverse proxies in front whose X-Forwarded-For entry is believed; with 0 behind one, all its users are one client to the limits per address. */
  @Whole(0) TRUSTED_PROXY_HOPS: number = 0;
  /** Time without a byte after which the body of a request is given up, seconds; uploads may pause ten times as long. */
  @Whole(1) BODY_SILENCE_SECONDS: number = 60;
  /** Shared secret of the automation client; also the bearer sent to the billing service. Empty = off. */
  @Text() BTRIX_SUBS_APP_API_KEY: string = '';
  /** Whether the shared secret also opens the subscription endpoints. */
  @Flag() SHARED_SECRET_SUBSCRIPTIONS: boolean = false;
  /** Base URL of the external billing service. */
  @Text() BTRIX_SUBS_APP_URL: string = '';
  /** Whether subscriptions and billing exist. */
  @Flag() BILLING_ENABLED: boolean = false;
  /** JSON list of the subscription plans on offer. */
  @Text() AVAILABLE_PLANS: string = '';
  /** Whether strangers may register. */
  @Flag() REGISTRATION_ENABLED: boolean = false;
  /** Org that registered users join; the default org when unset. */
  @Text() REGISTER_TO_ORG_ID: string = '';
  /** Whether an address may be invited again while an invite is pending. */
  @Flag() ALLOW_DUPE_INVITES: boolean = false;
  /** Lifetime of an invite, seconds. */
  @Whole(1) INVITE_EXPIRE_SECONDS: number = 1_209_600;
  /** Address of the first administrator. */
  @EmailAddress() SUPERUSER_EMAIL: string = '';
  /** Password of the first administrator; generated and printed once when unset. */
  @Text() SUPERUSER_PASSWORD: string = '';
  /** Display name of the first administrator. */
  @Text() SUPERUSER_NAME: string = 'admin';
  /** Name of the default org. */
  @Text() DEFAULT_ORG: string = 'My Organization';
  /** Page where strangers can sign up, shown by clients. */
  @Text() SIGN_UP_URL: string = '';
  /** Sales contact shown by clients. */
  @Text() SALES_EMAIL: string = '';
  /** Comma list of the locales that clients offer; empty = all. */
  @Text() LOCALES_ENABLED: string = '';
  /** Whether new orgs have the feature flag dedupeEnabled, by which clients offer deduplication. */
  @Flag() DEDUPE_FEATURE_ENABLED_DEFAULT: boolean = false;
  /** Whether a collection's dedupe index may be enabled to grow by itself. */
  @Flag() ENABLE_AUTO_RESIZE_INDEX_STORAGE: boolean = false;

  /** Login user of the SMTP server, and the sender when no other is set. */
  @Text() EMAIL_SENDER: string = 'Browsertrix admin';
  /** Password of the SMTP server. */
  @Text() EMAIL_PASSWORD: string = '';
  /** Reply-To of mails. */
  @Text() EMAIL_REPLY_TO: string = '';
  /** Support contact in mails, also shown by clients. */
  @Text() EMAIL_SUPPORT: string = '';
  /** SMTP server; unset: mails are written to DATA_DIR/mail. */
  @Text() EMAIL_SMTP_HOST: string = '';
  /** TCP port of the SMTP server. */
  @Whole(1, 65535) EMAIL_SMTP_PORT: number = 587;
  /** Whether STARTTLS is required. */
  @Flag() EMAIL_SMTP_USE_TLS: boolean = false;
  /** Password and verification mails that one address gets per hour; 0 = no limit. */
  @Whole(0) ASKED_MAILS_PER_ADDRESS: number = 5;
  /** Mails of any other kind that one address gets per hour, each kind by itself; 0 = no limit. */
  @Whole(0) MAILS_PER_ADDRESS: number = 100;
  /** Minutes for which failed jobs after a first one are collected into one mail; 0 = a mail for each. */
  @Whole(0) FAILED_JOBS_DIGEST_MINUTES: number = 60;
  /** Base URL of a service that renders mails; unset, or when it fails: the built-in templates. */
  @Text() EMAIL_TEMPLATE_ENDPOINT: string = '';
  /** Whether the text of mails is logged, in production without tokens. */
  @Flag() LOG_SENT_EMAILS: boolean = false;
  /** `production`, or `development`, where logged mails keep their tokens. */
  @Text() BTRIX_ENV: string = 'production';
  /** Link to a survey in the mail about a cancelled subscription. */
  @Text() USER_SURVEY_URL: string = '';

  /** File with the list of default storages; unset: files under DATA_DIR/storage. */
  @Text() STORAGES_JSON: string = '';
  /** Whether orgs may bring storages of their own. */
  @Flag() CUSTOM_STORAGES_ENABLED: boolean = false;
  /** Lifetime of presigned download URLs, minutes; more than 10079 counts as 10079: S3 refuses seven days. */
  @Whole(1) PRESIGN_DURATION_MINUTES: number = 10_079;
  /** Same as PRESIGN_DURATION_MINUTES, and wins. */
  @IsOptional() @Whole(1) STORAGE_PRESIGN_DURATION_MINUTES?: number;
  /** Time in which an object storage has to answer one request, seconds; uploads may take longer while bytes move. */
  @Whole(1) STORAGE_TIMEOUT_SECONDS: number = 120;
  /** Access endpoint that is always addressed by path. */
  @Text() LOCAL_MINIO_ACCESS_PATH: string = '/data/';
  /** Delay before a replica of a deleted file is deleted, days. */
  @Whole(0) REPLICA_DELETION_DELAY_DAYS: number = 0;
  /** Largest WACZ accepted inside an uploaded multi-WACZ file, bytes. */
  @Whole(1) MAX_WACZ_FILE_SIZE_BYTES: number = 50_000_000_000_000;
  /** Parts of one multi-WACZ upload that are split at the same time. */
  @Whole(1) MAX_CONCURRENT_SPLITS: number = 4;
  /** When unused seed files are looked for, cron. */
  @Text() CLEANUP_JOB_CRON_SCHEDULE: string = '0 0 * * 0';
  /** Age from which an unused seed file is deleted, minutes. */
  @Whole(0) CLEANUP_FILES_AFTER_MINUTES: number = 1440;
  /** When stuck uploads are retried, cron. */
  @Text() RETRY_STUCK_UPLOADS_CRON_SCHEDULE: string = '0 * * * *';
  /** Age from which an upload in processing counts as stuck, minutes. */
  @Whole(0) STUCK_UPLOAD_GRACE_MINUTES: number = 10;
  /** When archived files are read again and compared with their records, cron. */
  @Text() FIXITY_CRON_SCHEDULE: string = '30 3 * * *';
  /** Age from which a comparison is repeated, days; 0: files are never read again by themselves. */
  @Whole(0) FIXITY_INTERVAL_DAYS: number = 90;
  /** Bytes read in one run by schedule; the next run goes on with the rest. */
  @Whole(1) FIXITY_MAX_BYTES: number = 200_000_000_000;
  /** Folder in which backups are made, on another disk than DATA_DIR; unset: none are made by themselves. docs/backup.md */
  @Text() BACKUP_TARGET: string = '';
  /** When backups are made, cron in UTC, such as 30 2 * * *; unset: by `muniment backup` alone. */
  @Cron() BACKUP_SCHEDULE: string = '';
  /** Backups that are kept of those made by schedule: the newest of so many days, weeks and months. */
  @Counts() BACKUP_KEEP: string = '7/4/12';
  /** File with the key of the backups (openssl rand -hex 32); unset: they are not encrypted, and hold no secrets of the installation. */
  @Text() BACKUP_KEY_FILE: string = '';
  /** When the newest backup is restored for a trial, cron in UTC, such as 0 4 * * 0; unset: by `muniment backup rehearse` alone. */
  @Cron() BACKUP_REHEARSAL_SCHEDULE: string = '';
  /** Folder for what is restored for a trial, with room for the whole archive; unset: the system's for temporary files. */
  @Text() BACKUP_REHEARSAL_FOLDER: string = '';
  /** Whether the service signs the WACZs that crawls write, with a key of its own (docs/trust.md). */
  @Flag() WACZ_SIGNING: boolean = true;
  /** Time-stamp authority (RFC 3161) that is asked for the time of each signature, http(s); unset: none. It sees hashes only. */
  @Text() TSA_URL: string = '';
  /** Time after its last byte until a resumable upload that nobody goes on with is deleted, minutes. */
  @Whole(1) RESUMABLE_UPLOAD_EXPIRY_MINUTES: number = 1440;
  /** Parallelism of the page migration job. */
  @Whole(1) MIGRATION_JOBS_SCALE: number = 1;
  /** Host prefix put before relative URLs that crawler containers fetch. */
  @Text() FRONTEND_ORIGIN: string = 'http://browsertrix-cloud-frontend';
  /** Namespace appended to FRONTEND_ORIGIN. */
  @Text() DEFAULT_NAMESPACE: string = 'default';
  /** Base URL under which crawler containers reach the API. */
  @Text() BACKEND_ORIGIN: string = '';

  /** How crawls run: local (child processes), docker, kubernetes, or fake (tests). */
  @IsIn(Object.keys(CRAWL_DRIVERS)) CRAWL_DRIVER: string = 'local';
  /** Chrome or Chromium of the local driver; found on PATH when unset. */
  @Text() CHROMIUM_PATH: string = '';
  /**
   * Crawls, QA runs and profile browsers of the local driver that run at the same time. A profile browser that nobody
   * looks at for 30 seconds ends when one of the others waits for its place.
   */
  @Whole(1) MAX_CONCURRENT_BROWSERS: number = 2;
  /** Size from which the local driver starts a new WACZ file, bytes. */
  @Whole(1) WACZ_ROLLOVER_BYTES: number = 1_000_000_000;
  /** Comma list of what may reach private and loopback addresses: crawls, webhooks, storages, timestamps (TSA_URL), sign-in (providers, then also by http). */
  @WordsOf(PRIVATE_RANGE_USERS) ALLOW_PRIVATE_ADDRESSES: string = '';
  /** Comma list of private addresses and ranges (10.1.0.0/16) that crawls and profile browsers may reach all the same; the official crawler image does not look at it. */
  @AddressRanges() CRAWL_ALLOWED_ADDRESSES: string = '';
  /** Comma list of cgroup directories given to the service (v2: one; v1: one of memory, one of cpu), where each crawl of the local driver gets hard limits. */
  @Text() CRAWL_CGROUPS: string = '';
  /** Browser windows per crawler instance. */
  @Whole(1) NUM_BROWSERS: number = 2;
  /** Most browser windows one crawl may have; unset: 8, or MAX_CRAWL_SCALE times NUM_BROWSERS where that is set. */
  @IsOptional() @Whole(1) MAX_BROWSER_WINDOWS?: number;
  /** Most crawler instances of one crawl, where MAX_BROWSER_WINDOWS is not set. */
  @IsOptional() @Whole(1) MAX_CRAWL_SCALE?: number;
  /** Page limit of every crawl; 0 = none. */
  @Whole(0) MAX_PAGES_PER_CRAWL: number = 0;
  /** Name template of WACZ files. */
  @Text() DEFAULT_CRAWL_FILENAME_TEMPLATE: string = '@ts-@hostsuffix.wacz';
  /** File with the list of crawler channels. */
  @Text() CRAWLER_CHANNELS_JSON: string = '';
  /** Pull policy of crawler images. */
  @Text() DEFAULT_CRAWLER_IMAGE_PULL_POLICY: string = 'IfNotPresent';
  /** File with the list of crawling proxies. */
  @Text() CRAWLER_PROXIES_JSON: string = '';
  /** File with a number that changes whenever the proxies are to be read again. */
  @Text() CRAWLER_PROXIES_LAST_UPDATE: string = '';
  /** Proxy of crawls that name none. */
  @Text() DEFAULT_PROXY_ID: string = '';
  /** Oldest crawler image that can do QA. */
  @Text() MIN_QA_CRAWLER_IMAGE: string = 'webrecorder/browsertrix-crawler:1.1.0';
  /** Oldest crawler image that reads seed files. */
  @Text() MIN_SEED_FILE_CRAWLER_IMAGE: string = 'webrecorder/browsertrix-crawler:1.7.0';
  /** Oldest crawler image that can autoclick. */
  @Text() MIN_AUTOCLICK_CRAWLER_IMAGE: string = 'webrecorder/browsertrix-crawler:1.5.0';
  /** Waiting crawls allowed per org as a multiple of its concurrency quota; 0 = unlimited. */
  @Whole(0) CRAWL_QUEUE_LIMIT_SCALE: number = 0;
  /** Time after which a paused crawl is stopped, minutes. */
  @Whole(0) PAUSED_CRAWL_LIMIT_MINUTES: number = 10_080;
  /** Time after which a rate-limited crawl is paused, minutes; 0 = never. */
  @Whole(0) RATE_LIMIT_DURATION_MINUTES: number = 720;
  /** How often the supervisor looks at each running crawl, seconds. */
  @IsNumber() @Transform(({ value }) => Number(value)) OPERATOR_RESYNC_SECONDS: number = 3;
  /** How soon it looks again at one that is about to change, seconds; 0: with the others. */
  @Whole(0) FAST_RETRY_SECS: number = 3;
  /** Shown by clients as the default of a workflow's behavior time limit, seconds. */
  @Whole(0) DEFAULT_BEHAVIOR_TIME_SECONDS: number = 300;
  /** Shown by clients as the default of a workflow's page load limit, seconds. */
  @Whole(0) DEFAULT_PAGE_LOAD_TIME_SECONDS: number = 120;
  /** Browser windows of a QA run. */
  @Whole(1) QA_NUM_BROWSER_WINDOWS: number = 2;
  /** Read for compatibility, without effect: a profile browser ends 30 seconds after the last call for it. */
  @Whole(1) IDLE_TIMEOUT: number = 60;
  /** Redis of the docker and kubernetes drivers, as API and crawlers reach it: redis://host:port/db. */
  @Text() CRAWL_REDIS_URL: string = '';
  /** Image of a Redis for each crawl, beside its crawlers; unset: all crawls are in the Redis of CRAWL_REDIS_URL. */
  @Text() CRAWL_REDIS_IMAGE: string = '';
  /** Size of the volume of a crawl's own Redis, as Kubernetes writes it. */
  @Text() CRAWL_REDIS_STORAGE: string = '3Gi';
  /**
   * Bodies of a dedupe index that are copied to Redis for a crawl in containers, at most; each takes about 600 bytes of
   * its memory. What is left out is captured whole.
   */
  @Whole(0) CRAWL_DEDUPE_DIGESTS: number = 1_000_000;
  /** Size from which a crawler container starts a new WACZ file, bytes. */
  @Whole(1) CRAWLER_SESSION_SIZE_LIMIT_BYTES: number = 10_000_000_000;
  /** Time after which a crawler starts a new WACZ file, seconds. */
  @Whole(1) CRAWLER_SESSION_TIME_LIMIT_SECONDS: number = 18_000;
  /** Share of its disk in use at which a crawler packs what it has and ends, percent; 0: not looked at. */
  @Whole(0, 100) DISK_UTILIZATION_THRESHOLD: number = 90;
  /** Rate-limited pages in a row after which a crawl counts as rate-limited; 0 = never. */
  @Whole(0) RATE_LIMIT_THRESHOLD: number = 5;
  /**
   * How long the embedded crawler keeps a page for a request of its own that has no answer yet, seconds; what comes
   * later is not archived.
   */
  @Whole(0) CRAWLER_REQUEST_WAIT_SECONDS: number = 15;
  /** What crawler containers log, a comma list. */
  @Text() CRAWLER_LOGGING_OPTS: string = 'stats,behaviors,debug';
  /** Where crawler containers put the text of pages. */
  @Text() CRAWLER_EXTRACT_FULL_TEXT: string = 'to-warc';
  /** CPU of a crawler container with one browser window. */
  @Cores() CRAWLER_CPU_BASE: string = '900m';
  /** Memory of a crawler container with one browser window. */
  @Size() CRAWLER_MEMORY_BASE: string = '1024Mi';
  /** CPU for each further window. */
  @Cores() CRAWLER_EXTRA_CPU_PER_BROWSER: string = '600m';
  /** Memory for each further window. */
  @Size() CRAWLER_EXTRA_MEMORY_PER_BROWSER: string = '768Mi';
  /** Options added to those that every crawler container gets. */
  @Text() CRAWLER_EXTRA_ARGS: string = '';
  /** Signing service that crawler containers let sign their WACZs, with WACZ_SIGN_TOKEN; unset: they are not signed. */
  @Text() WACZ_SIGN_URL: string = '';
  /** Token for the signing service. */
  @Text() WACZ_SIGN_TOKEN: string = '';
  /** Kubernetes namespace of crawler instances. */
  @Text() CRAWLER_NAMESPACE: string = 'crawlers';
  /** End of the host names of pods in that namespace; unset: `.<namespace>.svc.cluster.local`. */
  @Text() CRAWLER_FQDN_SUFFIX: string = '';
  /** Kubeconfig file of the kubernetes driver; unset: the service account of the pod that the API runs in. */
  @Text() KUBECONFIG: string = '';
  /** Size of a crawler pod's scratch volume, as Kubernetes writes it. */
  @Text() CRAWLER_STORAGE: string = '25Gi';
  /** Storage class of scratch volumes; unset: the cluster's default. */
  @Text() CRAWLER_STORAGE_CLASS: string = '';
  /** Times what a crawler keeps, in whole GB, that its scratch volume is grown to when it is full; 0 = never. */
  @Min(0) @IsNumber() @Transform(({ value }) => Number(value)) CRAWLER_MIN_AVAIL_STORAGE_RATIO: number = 0;
  /** Front of the names of crawlers' priority classes, `<front>-<i>` and `qa-<front>-<i>`; unset: none. */
  @Text() CRAWLER_PRIORITY_CLASS: string = '';
  /** Docker engine address of the docker driver; unset: the local socket. */
  @Text() DOCKER_HOST: string = '';
  /** Docker network of crawler containers; unset: the engine's default. */
  @Text() CRAWLER_NETWORK: string = '';

  /** Time of nothing but failures after which a webhook endpoint is paused, hours; 0 = never. */
  @Whole(0) WEBHOOK_PAUSE_AFTER_HOURS: number = 120;
  /** Longest time of one webhook try, from name look-up to the last byte of the answer, milliseconds. */
  @Whole(1) WEBHOOK_TIMEOUT_MS: number = 30_000;
  /** First wait between webhook tries, milliseconds; each further wait is twice the last. */
  @Whole(1) WEBHOOK_BACKOFF_BASE_MS: number = 1000;
}
