import { join } from 'node:path';
import { WORK_FILES, type CrawlerConfig, type OutputFile } from '../../../../crawler/protocol.js';
import type { SignedData, ToSign } from '../../../../formats/wacz/signed-data.js';
import type { ObjectStore } from '../../../storage/object-store.js';
import type { CrawlJobSpec, FindOriginals, JobId, RunProxy } from '../../crawl-driver.types.js';
import type { StoreFor } from '../../run-stores.js';
import type { Cgroups } from '../cgroups.js';
import { CrawlerChild, type ChildExit, type ChildHandlers } from '../crawler-child.js';
import { crawlerConfig } from '../crawler-config.js';
import { placeProfile, placeSeedFile } from './run-inputs.js';
import type { RunRecord, RunRecords } from './run-record.js';
import { CHILD_PATH, hardLimits, type DriverClock, type LocalSettings } from '../local-settings.js';
import { ProxyWays, type ProxyWay } from '../proxy-way.js';
import type { BrowserSlots } from '../slots.js';
import { TempDirs } from '../temp-dirs.js';
import type { WorkDir } from '../work-dir.js';

/** The service's log; each line is structured. */
export interface DriverLogger {
  warn(line: object): void;
  error(line: object): void;
}

/** Signs what a package of an org asks; null: nobody signs, or not now. */
export type SignFor = (asked: ToSign & { readonly oid: string }) => Promise<SignedData | null>;

/** What all runs of the driver share. */
export interface LocalContext {
  readonly clock: DriverClock;
  readonly records: RunRecords;
  readonly slots: BrowserSlots;
  readonly logger: DriverLogger;
  /** Tells the supervisor that a run changed and a tick is worthwhile. */
  readonly wake: (id: JobId) => void;
  /** Who knows which bodies are stored already, once somebody has said so. */
  readonly finder: () => FindOriginals | undefined;
  /** Signs the hash of a package; it fails while it can't. */
  readonly sign: SignFor;
}

/** Starts crawler processes. */
export class RunLauncher {
  private readonly temps: TempDirs;
  private readonly proxies: ProxyWays;

  constructor(
    private readonly settings: LocalSettings,
    private readonly storeFor: StoreFor,
    private readonly user: { uid: number; gid: number } | undefined,
    /** Folder for the output of the children. It is outside their directories, where a link could be waiting. */
    private readonly logFolder: string,
    private readonly cgroups: Cgroups,
  ) {
    this.temps = new TempDirs(logFolder, user);
    this.proxies = new ProxyWays(settings.tunnelEntry, logFolder, this.programs);
  }

  /**
   * Starts a child.
   * @throws RunInputUnavailable, ProxyUnreachable, or the system's error when the disk is full or no process can be
   *   made
   */
  async launch(
    spec: CrawlJobSpec,
    dir: WorkDir,
    { packageOnly, asksOriginals }: { packageOnly: 'stopped' | 'paused' | undefined; asksOriginals: boolean },
    handlers: ChildHandlers,
  ): Promise<CrawlerChild> {
    await dir.create();
    if (packageOnly === undefined) await this.placeInputs(spec, dir);
    const goesOut = packageOnly === undefined && spec.kind === 'crawl';
    const way = goesOut && spec.proxy ? await this.openProxy(spec.jobId, spec.proxy) : undefined;
    const config = crawlerConfig(spec, dir.path, this.settings, { proxyUrl: way?.url, asksOriginals });
    const child = await this.start(config, dir, handlers, { windows: spec.browserWindows, way });
    child.send({
      t: 'start',
      config,
      resume: await dir.exists(WORK_FILES.state),
      ...(packageOnly ? { packageOnly } : {}),
    });
    return child;
  }

  /** Deletes the temporary files and keys that an earlier process left. */
  async sweep(): Promise<void> {
    await this.temps.sweep();
    await this.proxies.sweep();
  }

  /** Opens the connection to the proxy for `start`, which closes it. @throws ProxyUnreachable */
  openProxy(jobId: JobId, proxy: RunProxy): Promise<ProxyWay> {
    return this.proxies.open(jobId, proxy);
  }

  /**
   * Starts a child that waits for its `start` message.
   * @param way closed when the child is gone, or cannot be started
   */
  async start(
    config: CrawlerConfig,
    dir: WorkDir,
    handlers: ChildHandlers,
    { windows = 1, way }: { windows?: number; way?: ProxyWay | undefined } = {},
  ): Promise<CrawlerChild> {
    const { jobId } = config;
    let temporary: string | undefined;
    let endGroups: (() => Promise<void>) | undefined;
    const removed = (): void => {
      way?.close();
      if (temporary) void this.temps.delete(temporary).catch(() => undefined);
      void endGroups?.();
    };
    const exit = (how: ChildExit): void => {
      removed();
      handlers.exit(how);
    };
    try {
      await dir.write(WORK_FILES.config, JSON.stringify(config));
      temporary = await this.temps.make();
      const env = { HOME: dir.path, TMPDIR: temporary, LANG: 'C.UTF-8', TZ: 'UTC', NODE_ENV: 'production' };
      const options = {
        entry: this.settings.crawlerEntry,
        dir: dir.path,
        env: { ...this.programs, ...env },
        logFile: join(this.logFolder, `${jobId}.log`),
        ...(this.user ? { user: this.user } : {}),
      };
      const child = await CrawlerChild.start(options, { message: handlers.message, exit });
      if (child.identity) endGroups = await this.cgroups.limit(jobId, child.identity.pid, hardLimits(windows));
      if (!child.isAlive) removed();
      return child;
    } catch (error) {
      removed();
      throw error;
    }
  }

  async target(record: RunRecord, file: OutputFile): Promise<{ store: ObjectStore; key: string }> {
    const store = await this.storeFor(record.oid, record.storage.ref);
    // Profiles are always in the org's folder, whatever the storage (archive §2.3).
    const key =
      file.kind === 'profile'
        ? `${record.oid}/${record.profileKey ?? file.file}`
        : record.storage.keyPrefix + file.file;
    return { store, key };
  }

  /** The only variables of the service that a child gets: where programs are, and which certificates git trusts. */
  private get programs(): Record<string, string> {
    const { PATH, GIT_SSL_CAINFO, GIT_SSL_CAPATH } = this.settings.programs;
    return {
      PATH: [CHILD_PATH, ...(PATH ? [PATH] : [])].join(':'),
      ...(GIT_SSL_CAINFO ? { GIT_SSL_CAINFO } : {}),
      ...(GIT_SSL_CAPATH ? { GIT_SSL_CAPATH } : {}),
    };
  }

  private async placeInputs(spec: CrawlJobSpec, dir: WorkDir): Promise<void> {
    if (spec.profile && spec.kind === 'crawl') {
      await placeProfile(dir, await this.storeFor(spec.oid, spec.storage.ref), `${spec.oid}/${spec.profile.key}`);
    }
    if (spec.seedFileUrl) await placeSeedFile(dir, spec.seedFileUrl, spec.isSeedFileGuarded ?? false);
  }
}
