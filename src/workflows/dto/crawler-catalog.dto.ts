import { Str, ListOf, Bool } from '../../common/validation/fields.js';

export class CrawlerChannel {
  /** Name of the channel. */
  @Str() id!: string;
  @Str() image!: string;
  /** When the image is fetched, as kubernetes has it. */
  @Str({ nullable: true }) imagePullPolicy: string | null = null;
}

export class CrawlerChannels {
  /** Channels that workflows may choose from. */
  @ListOf(() => CrawlerChannel) channels: CrawlerChannel[] = [];
}

export class CrawlerProxy {
  /** Id of the proxy. */
  @Str() id!: string;
  /** Address of the proxy. */
  @Str() url!: string;
  /** Name of the proxy, as people see it. */
  @Str() label!: string;
  /** What the proxy is. */
  @Str() description = '';
  /** Country of the proxy, two letters; empty: not said. */
  @Str() country_code = '';
  /** Whether the key of the proxy's host is known. */
  @Bool() has_host_public_key = false;
  /** Whether there is a key to log in to the proxy's host. */
  @Bool() has_private_key = false;
  /** Whether the proxy is for all orgs that may use shared ones. */
  @Bool() shared = false;
}

export class CrawlerProxies {
  /** Id of the proxy that is used where nothing is said; null: none. */
  @Str({ nullable: true }) default_proxy_id: string | null = null;
  /** Proxies that may be used. */
  @ListOf(() => CrawlerProxy) servers: CrawlerProxy[] = [];
}
