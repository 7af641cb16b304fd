import { Module } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { CrawlerChannels } from './crawler-channels.js';
import { CrawlerProxies } from './crawler-proxies.js';

/** Which crawlers and ways out the deployment offers; read before the program serves. */
@Module({
  providers: [
    { provide: CrawlerChannels, inject: [AppConfig], useFactory: (config: AppConfig) => CrawlerChannels.load(config) },
    { provide: CrawlerProxies, inject: [AppConfig], useFactory: (config: AppConfig) => CrawlerProxies.load(config) },
  ],
  exports: [CrawlerChannels, CrawlerProxies],
})
export class CrawlerCatalogModule {}
