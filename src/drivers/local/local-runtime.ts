import { join } from 'node:path';
import type { DriverLogger } from './run/run-launcher.js';
import { RunLauncher } from './run/run-launcher.js';
import type { StoreFor } from '../run-stores.js';
import { RunRecords } from './run/run-record.js';
import { Cgroups } from './cgroups.js';
import { crawlerUser } from './crawler-user.js';
import { DataDirLock } from './data-dir-lock.js';
import type { DriverClock, LocalSettings } from './local-settings.js';
import { browsersBelow, isAlive, kill } from './processes.js';
import { BrowserSlots } from './slots.js';
import { WorkDirs } from './work-dir.js';

/** What the crawls and the profile browsers of this machine share. `open` must be called before anything else. */
export class LocalRuntime {
  readonly slots: BrowserSlots;
  readonly records: RunRecords;
  private opened: { lock: DataDirLock; dirs: WorkDirs; launcher: RunLauncher } | undefined;
  private opening: Promise<void> | undefined;

  constructor(
    readonly settings: LocalSettings,
    readonly storeFor: StoreFor,
    readonly clock: DriverClock,
    readonly logger: DriverLogger,
    /** Called when the lock on the data directory was lost: another process may be at work in it. */
    private readonly lockLost: (error: Error) => void,
  ) {
    this.slots = new BrowserSlots(settings.maxConcurrentBrowsers);
    this.records = new RunRecords(join(this.workRoot, '.driver'));
  }

  get dirs(): WorkDirs {
    return this.need().dirs;
  }

  get launcher(): RunLauncher {
    return this.need().launcher;
  }

  /** Takes the data directory, and ends what an earlier process left running in it. Idempotent. @throws DataDirInUse */
  open(): Promise<void> {
    this.opening ??= this.openOnce();
    return this.opening;
  }

  async close(): Promise<void> {
    await this.opened?.lock.free();
    this.opened = undefined;
    this.opening = undefined;
  }

  private get workRoot(): string {
    return join(this.settings.dataDir, 'work');
  }

  private async openOnce(): Promise<void> {
    const { dataDir, crawlerEntry } = this.settings;
    const lock = await DataDirLock.acquire(dataDir, this.lockLost);
    await this.endOrphans();
    const user = await crawlerUser(dataDir, crawlerEntry, (reason) =>
      this.logger.warn({
        event: 'crawler_runs_as_root',
        message: 'The crawler runs as root and its browser without sandbox',
        reason,
      }),
    );
    const cgroups = new Cgroups(this.settings.cgroups, this.logger);
    await cgroups.sweep();
    const launcher = new RunLauncher(this.settings, this.storeFor, user, this.records.folder, cgroups);
    await launcher.sweep();
    this.opened = { lock, dirs: new WorkDirs(this.workRoot, user), launcher };
  }

  /** Ends leftover processes. No other process may run anything here now, so all that run are leftovers. */
  private async endOrphans(): Promise<void> {
    for (const jobId of await this.records.list()) {
      const child = (await this.records.load(jobId))?.child;
      if (!child || !(await isAlive(child))) continue;
      this.logger.warn({ event: 'orphan_crawler_ended', jobId, pid: child.pid });
      kill(-child.pid, 'SIGKILL');
      kill(child.pid, 'SIGKILL');
    }
    for (const pid of await browsersBelow(this.workRoot)) {
      this.logger.warn({ event: 'orphan_browser_ended', pid });
      kill(pid, 'SIGKILL');
    }
  }

  private need(): NonNullable<LocalRuntime['opened']> {
    if (!this.opened) throw new Error('the local driver is not open');
    return this.opened;
  }
}
