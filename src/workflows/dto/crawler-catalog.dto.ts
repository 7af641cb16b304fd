import { Str, ListOf, Bool } from '../../common/validation/fields.js';

export class CrawlerChannel {
  @Str() id!: string;
  @Str() image!: string;
  @Str({ nullable: true }) imagePullPolicy: string | null = null;
}

export class CrawlerChannels {
  @ListOf(() => CrawlerChannel) channels: CrawlerChannel[] = [];
}

export class CrawlerProxy {
  @Str() id!: string;
  @Str() url!: string;
  @Str() label!: string;
  @Str() description = '';
  @Str() country_code = '';
  @Bool() has_host_public_key = false;
  @Bool() has_private_key = false;
  @Bool() shared = false;
}

export class CrawlerProxies {
  @Str({ nullable: true }) default_proxy_id: string | null = null;
  @ListOf(() => CrawlerProxy) servers: CrawlerProxy[] = [];
}
