import { Str, ListOf } from '../../common/validation/fields.js';
import { CrawlerProxy } from './crawler-proxy.dto.js';

export class CrawlerProxies {
  @Str({ nullable: true }) default_proxy_id: string | null = null;
  @ListOf(() => CrawlerProxy) servers: CrawlerProxy[] = [];
}
