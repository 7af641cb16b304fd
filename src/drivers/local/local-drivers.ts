import { resolve } from 'node:path';
import { compiledProgram } from '../../common/compiled-program.js';
import type { Clock } from '../../common/clock/clock.js';
import type { AppConfig } from '../../config/app-config.js';
import type { StoreFor } from '../run-stores.js';
import type { DriverLogger, SignFor } from './run/run-launcher.js';
import { LocalBrowserDriver } from './local-browser-driver.js';
import { LocalCrawlDriver } from './local-crawl-driver.js';
import { LocalRuntime } from './local-runtime.js';
import type { LocalSettings } from './local-settings.js';

/** The crawls and the profile browsers of this machine. They are opened and closed together. */
export class LocalDrivers {
  readonly crawls: LocalCrawlDriver;
  readonly browsers: LocalBrowserDriver;

  /** @param lockLost called when another process took the data directory over: this process has to end */
  constructor(
    config: AppConfig,
    storeFor: StoreFor,
    clock: Clock,
    { sign, ...events }: { logger: DriverLogger; lockLost: (error: Error) => void; sign?: SignFor },
  ) {
    const runtime = new LocalRuntime(localSettings(config), storeFor, clock, events.logger, events.lockLost);
    this.crawls = new LocalCrawlDriver(runtime, sign);
    this.browsers = new LocalBrowserDriver(runtime);
  }

  /** @throws DataDirInUse */
  async open(): Promise<void> {
    await this.crawls.open();
    await this.browsers.open();
  }

  async close(): Promise<void> {
    await this.browsers.close();
    await this.crawls.close();
  }
}

function localSettings({ dataDir, programs, crawls, signing }: AppConfig): LocalSettings {
  return {
    dataDir: resolve(dataDir),
    crawlerEntry: compiledProgram('crawler/main.js'),
    tunnelEntry: compiledProgram('crawler/tunnel.js'),
    programs,
    chromiumPath: crawls.chromiumPath,
    maxConcurrentBrowsers: crawls.maxConcurrentBrowsers,
    waczRolloverBytes: crawls.waczRolloverBytes,
    signs: signing.enabled,
    crawler: crawls.crawler,
    allowPrivate: crawls.crawler.allowPrivate,
    allowAddresses: crawls.crawler.allowAddresses,
    cgroups: crawls.cgroups,
  };
}
