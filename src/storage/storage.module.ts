import { resolve } from 'node:path';

import { Module, type OnModuleInit } from '@nestjs/common';

import { Clock } from '../common/clock/clock.js';
import { AppConfig } from '../config/app-config.js';
import { DataController } from './data.controller.js';
import { DefaultStorages } from './default-storages.js';
import { DataServer } from './data-server.js';
import { LocalObjectStore } from './local/local-object-store.js';
import { PresignedFiles } from './presigned-files.js';
import { UrlSigner } from './sigv4.js';
import { Storages } from './storages.js';

/** Path that stored objects are served under, unless a proxy in front sends its requests to the S3 server. */
const PUBLIC_PATH = '/data/';
/** Free disk space, in bytes, that stored objects never use up: mongod on the same disk aborts when it cannot write. */
const RESERVE_BYTES = 256 * 1024 * 1024;

/** The class tells dependency injection this signer from those of S3 storages. */
class LocalUrlSigner extends UrlSigner {}

@Module({
  controllers: [DataController],
  providers: [
    {
      provide: DefaultStorages,
      inject: [AppConfig],
      useFactory: ({ storage }: AppConfig) => DefaultStorages.load(storage.storagesFile, storage.pathAddressedEndpoint),
    },
    {
      provide: LocalUrlSigner,
      inject: [AppConfig],
      useFactory: ({ storage }: AppConfig) =>
        new LocalUrlSigner({ accessKey: 'muniment', secretKey: storage.urlSigningKey.reveal(), region: 'local' }),
    },
    {
      provide: LocalObjectStore,
      inject: [AppConfig, LocalUrlSigner],
      useFactory: ({ dataDir }: AppConfig, signer: LocalUrlSigner) =>
        new LocalObjectStore({
          root: resolve(dataDir, 'storage'),
          signer,
          publicPath: PUBLIC_PATH,
          reserveBytes: RESERVE_BYTES,
        }),
    },
    {
      provide: DataServer,
      inject: [Storages, Clock],
      useFactory: (storages: Storages, clock: Clock) =>
        new DataServer({
          stores: storages.servedAt(PUBLIC_PATH),
          publicPath: PUBLIC_PATH,
          now: () => clock.now(),
        }),
    },
    Storages,
    PresignedFiles,
  ],
  exports: [Storages, PresignedFiles, DefaultStorages],
})
export class StorageModule implements OnModuleInit {
  constructor(
    private readonly local: LocalObjectStore,
    private readonly defaults: DefaultStorages,
    private readonly clock: Clock,
  ) {}

  async onModuleInit(): Promise<void> {
    const isLocalUsed = [...this.defaults.byName.values()].includes(null);
    if (isLocalUsed) await this.local.prepare(this.clock.now());
  }
}
