import { Injectable, Logger, Module, type BeforeApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { AppConfig } from '../config/app-config.js';
import { OrgsDataModule } from '../orgs/data/orgs-data.module.js';
import { SigningModule } from '../signing/signing.module.js';
import { WaczSigner } from '../signing/wacz-signer.js';
import { StorageModule } from '../storage/storage.module.js';
import { BrowserDriver } from './browser-driver.js';
import { CrawlerCatalogModule } from './catalog/catalog.module.js';
import { CrawlDriver } from './crawl-driver.js';
import { ContainerDrivers } from './containers/container-drivers.js';
import { dockerEngine } from './docker/docker-engine.js';
import { FakeBrowserDriver } from './fake/fake-browser-driver.js';
import { FakeCrawlDriver } from './fake/fake-crawl-driver.js';
import { openCluster, type Cluster } from './kubernetes/cluster.js';
import { kubernetesEngine } from './kubernetes/kubernetes-engine.js';
import { NamespaceClient } from './kubernetes/namespace-client.js';
import { RunStores } from './run-stores.js';
import { LocalDrivers } from './local/local-drivers.js';

/** The adapters that CRAWL_DRIVER chose. The class opens what they need before use, and closes it at the end. */
@Injectable()
export class ChosenDrivers implements OnModuleInit, BeforeApplicationShutdown {
  readonly crawls: CrawlDriver;
  readonly browsers: BrowserDriver;
  private readonly local: LocalDrivers | undefined;
  private readonly containers: ContainerDrivers | undefined;
  private readonly logger = new Logger('drivers');

  constructor(config: AppConfig, stores: RunStores, clock: Clock, signer: WaczSigner) {
    const storeFor = stores.of.bind(stores);
    const { driver } = config.crawls;
    switch (driver) {
      case 'fake':
        this.crawls = new FakeCrawlDriver(storeFor, clock);
        this.browsers = new FakeBrowserDriver(storeFor, clock);
        return;
      case 'local':
        this.local = new LocalDrivers(config, storeFor, clock, {
          logger: this.logger,
          lockLost: (error) => this.giveUp(error),
          sign: ({ hash, created }) => signer.sign(hash, created),
        });
        this.crawls = this.local.crawls;
        this.browsers = this.local.browsers;
        return;
      case 'docker': {
        const { host, network } = config.crawls.docker;
        this.containers = new ContainerDrivers(dockerEngine(host, { network }), config.crawls, clock);
        this.crawls = this.containers.crawls;
        this.browsers = this.containers.browsers;
        return;
      }
      case 'kubernetes': {
        const { namespace, kubernetes } = config.crawls;
        const open = (): Promise<Cluster> => openCluster(kubernetes.kubeconfig);
        const engine = kubernetesEngine(new NamespaceClient(namespace, open), kubernetes, clock);
        this.containers = new ContainerDrivers(engine, config.crawls, clock);
        this.crawls = this.containers.crawls;
        this.browsers = this.containers.browsers;
        return;
      }
    }
  }

  /** @throws DataDirInUse: the program does not start */
  async onModuleInit(): Promise<void> {
    await this.local?.open();
    this.containers?.open();
  }

  /** The drivers are closed after the supervisor has stopped asking. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.local?.close();
    this.containers?.close();
  }

  /** Ends this process in order: two processes in one data directory would ruin each other's crawls. */
  private giveUp(error: Error): void {
    this.logger.fatal({
      event: 'data_dir_lost',
      message: 'Another process took the data directory over',
      error: error.message,
    });
    process.kill(process.pid, 'SIGTERM');
  }
}

@Module({
  imports: [StorageModule, OrgsDataModule, CrawlerCatalogModule, SigningModule],
  providers: [
    RunStores,
    ChosenDrivers,
    { provide: CrawlDriver, inject: [ChosenDrivers], useFactory: ({ crawls }: ChosenDrivers) => crawls },
    { provide: BrowserDriver, inject: [ChosenDrivers], useFactory: ({ browsers }: ChosenDrivers) => browsers },
  ],
  exports: [CrawlDriver, BrowserDriver, CrawlerCatalogModule],
})
export class DriversModule {}
