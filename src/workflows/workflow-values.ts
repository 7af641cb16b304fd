import { Injectable } from '@nestjs/common';
import type { CountedTag } from '../database/counts/tag-counts.js';
import { ChannelCatalog } from '../drivers/catalog/channel-catalog.js';
import { ProxyCatalog, type CrawlerProxyEntry } from '../drivers/catalog/proxy-catalog.js';
import { RUNNING_AND_WAITING } from '../items/data/item-state.facts.js';
import { ItemsRepository } from '../items/data/items.repository.js';
import type { Org } from '../orgs/data/org.schema.js';
import { WorkflowsQueries } from './data/workflows.queries.js';
import type { CrawlConfigRunningCountsResponse, CrawlConfigSearchValues } from './dto/workflows.dto.js';
import type {
  CrawlerChannels as CrawlerChannelsOut,
  CrawlerProxies as CrawlerProxiesOut,
  CrawlerProxy,
} from './dto/crawler-catalog.dto.js';
import { toRunningCounts } from './running/running-counts.js';

/** Returns a proxy's address without the credentials that it may carry. */
function shownUrl(url: string): string {
  const shown = new URL(url);
  if (!shown.username && !shown.password) return url;
  shown.username = '';
  shown.password = '';
  return shown.href;
}

const toCrawlerProxy = (proxy: CrawlerProxyEntry): CrawlerProxy => ({
  id: proxy.id,
  url: shownUrl(proxy.url),
  label: proxy.label,
  description: proxy.description,
  country_code: proxy.countryCode,
  has_host_public_key: proxy.hasHostKey,
  has_private_key: proxy.hasPrivateKey,
  shared: proxy.shared,
});

/** Finds the values from which workflows are made and by which they are found. Contract: crawling §4.10. */
@Injectable()
export class WorkflowValues {
  constructor(
    private readonly queries: WorkflowsQueries,
    private readonly items: ItemsRepository,
    private readonly crawlerChannels: ChannelCatalog,
    private readonly crawlerProxies: ProxyCatalog,
  ) {}

  async tags(oid: string): Promise<string[]> {
    return (await this.queries.tagCounts(oid)).map(({ tag }) => tag).sort();
  }

  async tagCounts(oid: string): Promise<CountedTag[]> {
    return this.queries.tagCounts(oid);
  }

  async searchValues(oid: string, profileIds: string[] | null | undefined): Promise<CrawlConfigSearchValues> {
    return this.queries.searchValues(oid, profileIds);
  }

  channels(): CrawlerChannelsOut {
    return {
      channels: this.crawlerChannels.list.map(({ id, image, imagePullPolicy }) => ({ id, image, imagePullPolicy })),
    };
  }

  /** Lists proxies. @param org the org that may use them; null for all proxies */
  async proxies(org: Org | null): Promise<CrawlerProxiesOut> {
    const servers = org ? await this.crawlerProxies.usableBy(org) : await this.crawlerProxies.list();
    return { default_proxy_id: this.crawlerProxies.defaultId, servers: servers.map(toCrawlerProxy) };
  }

  /** Counts active crawls by state. @param oid the org; null for all orgs */
  async runningCounts(oid: string | null): Promise<CrawlConfigRunningCountsResponse> {
    return toRunningCounts(await this.items.countByState(oid, RUNNING_AND_WAITING));
  }
}
