import { Module } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { ChannelCatalog } from './channel-catalog.js';
import { ProxyCatalog } from './proxy-catalog.js';

/** The crawlers and proxies that the deployment offers. They are read before the program serves. */
@Module({
  providers: [
    { provide: ChannelCatalog, inject: [AppConfig], useFactory: (config: AppConfig) => ChannelCatalog.load(config) },
    { provide: ProxyCatalog, inject: [AppConfig], useFactory: (config: AppConfig) => ProxyCatalog.load(config) },
  ],
  exports: [ChannelCatalog, ProxyCatalog],
})
export class CrawlerCatalogModule {}
