import { Logger, Module, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { AppConfig } from '../config/app-config.js';
import { OrgsDataModule } from '../orgs/data/orgs-data.module.js';
import { SigningModule } from '../signing/signing.module.js';
import { WaczSigner } from '../signing/wacz-signer.js';
import { StorageModule } from '../storage/storage.module.js';
import { BrowserDriver } from './browser-driver.js';
import { CrawlerCatalogModule } from './catalog/catalog.module.js';
import { CrawlDriver } from './crawl-driver.js';
import { RunStores } from './run-stores.js';

/** The adapters of one engine. */
interface Drivers {
  readonly crawls: CrawlDriver;
  readonly browsers: BrowserDriver;
  open?(): void | Promise<void>;
  close?(): void | Promise<void>;
}

/** The adapters that CRAWL_DRIVER chose. The class opens what they need before use, and closes it at the end. */
class ChosenDrivers implements OnModuleInit, BeforeApplicationShutdown {
  constructor(private readonly drivers: Drivers) {}

  get crawls(): CrawlDriver {
    return this.drivers.crawls;
  }

  get browsers(): BrowserDriver {
    return this.drivers.browsers;
  }

  /** @throws DataDirInUse: the program does not start */
  async onModuleInit(): Promise<void> {
    await this.drivers.open?.();
  }

  /** The drivers are closed after the supervisor has stopped asking. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.drivers.close?.();
  }
}

const logger = new Logger('drivers');

/** Loads one engine's adapters alone: the clients of the others take 30 MB of memory. */
async function chosenDrivers(config: AppConfig, stores: RunStores, clock: Clock, signer: WaczSigner): Promise<Drivers> {
  const storeFor = stores.of.bind(stores);
  const { driver, docker, namespace, kubernetes } = config.crawls;
  switch (driver) {
    case 'fake': {
      const { FakeCrawlDriver } = await import('./fake/fake-crawl-driver.js');
      const { FakeBrowserDriver } = await import('./fake/fake-browser-driver.js');
      return { crawls: new FakeCrawlDriver(storeFor, clock), browsers: new FakeBrowserDriver(storeFor, clock) };
    }
    case 'local': {
      const { LocalDrivers } = await import('./local/local-drivers.js');
      return new LocalDrivers(config, storeFor, clock, {
        logger,
        lockLost: giveUp,
        sign: ({ hash, created, oid }) => signer.sign(hash, created, oid),
      });
    }
    case 'docker': {
      const { dockerEngine } = await import('./docker/docker-engine.js');
      const { ContainerDrivers } = await import('./containers/container-drivers.js');
      return new ContainerDrivers(dockerEngine(docker.host, { network: docker.network }), config.crawls, clock);
    }
    case 'kubernetes': {
      const { openCluster } = await import('./kubernetes/cluster.js');
      const { kubernetesEngine } = await import('./kubernetes/kubernetes-engine.js');
      const { NamespaceClient } = await import('./kubernetes/namespace-client.js');
      const { ContainerDrivers } = await import('./containers/container-drivers.js');
      const client = new NamespaceClient(namespace, () => openCluster(kubernetes.kubeconfig));
      return new ContainerDrivers(kubernetesEngine(client, kubernetes, clock), config.crawls, clock);
    }
  }
}

/** Ends this process in order: two processes in one data directory would ruin each other's crawls. */
function giveUp(error: Error): void {
  logger.fatal({
    event: 'data_dir_lost',
    message: 'Another process took the data directory over',
    error: error.message,
  });
  process.kill(process.pid, 'SIGTERM');
}

@Module({
  imports: [StorageModule, OrgsDataModule, CrawlerCatalogModule, SigningModule],
  providers: [
    RunStores,
    {
      provide: ChosenDrivers,
      inject: [AppConfig, RunStores, Clock, WaczSigner],
      useFactory: async (...parts: Parameters<typeof chosenDrivers>) =>
        new ChosenDrivers(await chosenDrivers(...parts)),
    },
    { provide: CrawlDriver, inject: [ChosenDrivers], useFactory: ({ crawls }: ChosenDrivers) => crawls },
    { provide: BrowserDriver, inject: [ChosenDrivers], useFactory: ({ browsers }: ChosenDrivers) => browsers },
  ],
  exports: [CrawlDriver, BrowserDriver, CrawlerCatalogModule],
})
export class DriversModule {}
