import type { AddressPolicy } from '../../formats/address/address-policy.js';
import type { ownSettings } from './driver-settings.js';
import type { CrawlDriverName } from './env.js';
import type { MailFrom } from './mail-from.js';
import type { Secret } from './secret.js';

export type PrivateAddressUser = 'crawls' | 'webhooks' | 'storages' | 'timestamps' | 'sign-in';

/** What every crawler is told, and what its container gets. */
export interface CrawlerSettings {
  /** A new WACZ file is started at this size, and after this time. */
  readonly sessionBytes: number;
  readonly sessionSeconds: number;
  /** 0 = none. */
  readonly maxPages: number;
  /** 0: not looked at. */
  readonly diskUsePercent: number;
  /** 0 = never. */
  readonly rateLimitThreshold: number;
  readonly requestWaitSeconds: number;
  readonly logging: string;
  readonly fullText: string;
  /** Whether they may reach private addresses: all, or these and ranges. */
  readonly allowPrivate: boolean;
  readonly allowAddresses: readonly string[];
  /** Options added to the others. */
  readonly extraArgs: string;
  /** For the first window, and for each further one. */
  readonly cpuMillis: number;
  readonly memoryBytes: number;
  readonly extraCpuMillis: number;
  readonly extraMemoryBytes: number;
}

/** The settings in use, grouped by what they concern; frozen. Units are in the names. */
export abstract class AppConfig {
  abstract readonly http: {
    readonly host: string;
    readonly port: number;
    /** External base URL without trailing slash, or empty. */
    readonly appOrigin: string;
    /** Origin of the player, or empty. */
    readonly replayOrigin: string;
    /** Port of the player on `host`; 0: none. */
    readonly replayPort: number;
    readonly trustedProxyHops: number;
    readonly bodySilenceSeconds: number;
    readonly metricsPort: number;
    readonly shutdownDelaySeconds: number;
  };
  abstract readonly log: { readonly format: 'json' | 'text'; readonly level: string };
  abstract readonly dataDir: string;
  /** Variables for programs that the service starts: PATH, proxies, certificates. */
  abstract readonly programs: Readonly<Record<string, string>>;
  abstract readonly database: { readonly url: Secret; readonly name: string; readonly slowCommandMs: number };
  abstract readonly auth: {
    readonly passwordSecret: Secret;
    readonly tokenLifetimeMinutes: number;
    readonly passwordHashCost: number;
    readonly sessionDays: number;
    readonly loginFailuresPerAddress: number;
    readonly keyRequestsPerMinute: number;
    /** File with the providers of OpenID Connect, or empty. */
    readonly oidcProvidersFile: string;
    /** Whether providers may be without TLS, which is for those in private networks. */
    readonly oidcAllowsHttp: boolean;
    readonly passwordLogin: 'on' | 'superuser' | 'off';
    /** Whether superusers without a second factor count as normal users. */
    readonly superusersNeedFactor: boolean;
    /** Whether common passwords are refused whoever asks. */
    readonly refusesCommonPasswords: boolean;
    readonly sharedSecret: Secret;
    readonly sharedSecretOpensSubscriptions: boolean;
  };
  abstract readonly accounts: {
    readonly registrationEnabled: boolean;
    readonly registerToOid: string | null;
    readonly allowDuplicateInvites: boolean;
    readonly inviteLifetimeSeconds: number;
    readonly superuserEmail: string;
    /** Whether SUPERUSER_EMAIL was given; if not, the address is the default and an existing superuser is left alone. */
    readonly superuserEmailIsSet: boolean;
    /** The value of SUPERUSER_PASSWORD, else a generated one. */
    readonly superuserPassword: Secret;
    /** Whether SUPERUSER_PASSWORD was given; if not, an existing superuser keeps its password. */
    readonly superuserPasswordIsSet: boolean;
    readonly superuserName: string;
    readonly defaultOrgName: string;
    readonly signUpUrl: string;
    readonly salesEmail: string;
    /** Whether new orgs have deduplication. */
    readonly dedupeEnabledDefault: boolean;
    readonly locales: readonly string[] | null;
  };
  abstract readonly billing: {
    readonly enabled: boolean;
    readonly serviceUrl: string;
    readonly plansJson: string;
  };
  abstract readonly mail: {
    /** Login user of the SMTP server. */
    readonly sender: string;
    readonly password: Secret;
    readonly replyTo: string;
    /** What mails have in their headers. */
    readonly from: MailFrom;
    /** Mails per address and hour that anybody can ask for, and others of one kind; 0: no limit. */
    readonly askedPerAddress: number;
    readonly perAddress: number;
    readonly failedJobsDigestMinutes: number;
    readonly support: string;
    readonly smtpHost: string;
    readonly smtpPort: number;
    readonly requireTls: boolean;
    readonly surveyUrl: string;
    /** Without trailing slash; empty: the built-in templates. */
    readonly templateEndpoint: string;
    /** Whether mails are logged; their tokens only outside production. */
    readonly logsText: boolean;
    readonly isProduction: boolean;
  };
  abstract readonly storage: {
    readonly storagesFile: string;
    readonly customEnabled: boolean;
    /** Whether every storage is a folder under DATA_DIR, whatever it is elsewhere: for a rehearsal of a restore. */
    readonly isScratch: boolean;
    /** Capped at one week minus one minute. */
    readonly presignSeconds: number;
    readonly pathAddressedEndpoint: string;
    readonly urlSigningKey: Secret;
    readonly replicaDeletionDelayDays: number;
    readonly timeoutSeconds: number;
  };
  abstract readonly uploads: {
    readonly maxWaczBytes: number;
    readonly maxConcurrentSplits: number;
    readonly stuckCron: string;
    readonly stuckAfterMinutes: number;
    readonly resumableMinutes: number;
  };
  abstract readonly fixity: {
    readonly cron: string;
    /** 0: never by schedule. */
    readonly intervalDays: number;
    readonly maxBytesPerRun: number;
  };
  abstract readonly audit: {
    /** 0: for ever. */
    readonly retentionDays: number;
    /** Receiver by syslog; empty: none. */
    readonly syslogUrl: string;
    /** Where the log is posted; empty: nowhere. */
    readonly webhookUrl: string;
    readonly webhookSecret: Secret;
  };
  abstract readonly backup: {
    /** Folder of the backups made by schedule, or empty. */
    readonly target: string;
    /** Empty: none are made by themselves. */
    readonly cron: string;
    /** File with their key, or empty. */
    readonly keyFile: string;
    readonly keep: { readonly daily: number; readonly weekly: number; readonly monthly: number };
    /** Restores for a trial. An empty `cron`: none by themselves; an empty `folder`: the system's for temporary files. */
    readonly rehearsal: { readonly cron: string; readonly folder: string };
  };
  abstract readonly signing: {
    /** Whether the service signs the WACZs that it writes. */
    readonly enabled: boolean;
    /** Time-stamp authority; empty: none. */
    readonly tsaUrl: string;
  };
  abstract readonly files: { readonly cleanupCron: string; readonly cleanupAfterMinutes: number };
  abstract readonly crawls: ReturnType<typeof ownSettings> & {
    readonly driver: CrawlDriverName;
    readonly inContainers: boolean;
    readonly chromiumPath: string;
    readonly maxConcurrentBrowsers: number;
    readonly waczRolloverBytes: number;
    readonly cgroups: readonly string[];
    readonly windowsPerInstance: number;
    readonly maxBrowserWindows: number;
    /** 0 = none. */
    readonly maxPagesPerCrawl: number;
    readonly filenameTemplate: string;
    readonly channelsFile: string;
    readonly imagePullPolicy: string;
    readonly proxiesFile: string;
    readonly proxiesUpdateFile: string;
    readonly defaultProxyId: string | null;
    readonly minQaImage: string;
    readonly minSeedFileImage: string;
    readonly minAutoclickImage: string;
    readonly queueLimitScale: number;
    readonly pausedLimitMinutes: number;
    /** 0 = never. */
    readonly rateLimitMinutes: number;
    readonly tickSeconds: number;
    readonly fastRetrySeconds: number;
    readonly defaultBehaviorSeconds: number;
    readonly defaultPageLoadSeconds: number;
    readonly qaBrowserWindows: number;
    readonly profileIdleSeconds: number;
    readonly redisUrl: Secret;
    /** Each crawl has a Redis of its own; null: all share that of `redisUrl`. */
    readonly ownRedis: { readonly image: string; readonly storageSize: string } | null;
    /** Bodies of a dedupe index that are copied for a crawl in containers, at most. */
    readonly dedupeCopyDigests: number;
    readonly namespace: string;
    readonly crawler: CrawlerSettings;
    /** Signs the WACZs of crawler containers; null: nobody does. */
    readonly signer: { readonly url: string; readonly token: Secret } | null;
    readonly frontendOrigin: string;
    readonly backendOrigin: string;
    readonly indexResizeEnabled: boolean;
    readonly migrationScale: number;
  };
  abstract readonly webhooks: {
    readonly pauseAfterHours: number;
    readonly backoffBaseMs: number;
    readonly timeoutMs: number;
  };
  /** Which addresses each may reach that fetches what users name. */
  abstract readonly addresses: Readonly<Record<PrivateAddressUser, AddressPolicy>>;
}
