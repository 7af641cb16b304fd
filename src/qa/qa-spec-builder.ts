import { Injectable } from '@nestjs/common';
import { driverConfig } from '../crawls/rules/driver-config.js';
import type { RunContext } from '../crawls/run/run-kind.js';
import { ChannelCatalog } from '../drivers/catalog/channel-catalog.js';
import { Links } from '../links/links.js';
import type { CrawlJobSpec, QaResource } from '../drivers/crawl-driver.types.js';
import type { Item } from '../items/data/item.schema.js';
import { RequiredItems } from '../items/required-items.js';
import type { Org } from '../orgs/data/org.schema.js';
import { PresignedFiles } from '../storage/presigned-files.js';
import { Storages } from '../storage/storages.js';

/** Folder of QA files, beside the org's crawls. */
const QA_FOLDER = 'qa/';
const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');

/** Collects what a driver needs to replay and compare a crawl. Contract: crawling §14.9. */
@Injectable()
export class QaSpecBuilder {
  constructor(
    private readonly required: RequiredItems,
    private readonly presigned: PresignedFiles,
    private readonly storages: Storages,
    private readonly channels: ChannelCatalog,
    private readonly links: Links,
  ) {}

  async build({ job, item, org }: RunContext): Promise<CrawlJobSpec> {
    const channel = this.channels.resolve(item.crawlerChannel);
    const { ref, keyPrefix, s3 } = this.storages.forCrawler(org, job.storage);
    return {
      jobId: job._id,
      crawlId: job.crawlId,
      kind: 'qa',
      oid: job.oid,
      cid: job.cid,
      userId: job.userid,
      image: channel.image,
      imagePullPolicy: channel.imagePullPolicy,
      config: this.qaConfig(item),
      qaSource: { resources: await this.sources(org, item) },
      browserWindows: job.browserWindows,
      windowsPerInstance: 1,
      singlePage: false,
      storage: { ref, keyPrefix: `${keyPrefix}${QA_FOLDER}`, ...(s3 ? { s3 } : {}) },
      storageFilename: job.storageFilename,
      warcPrefix: job.warcPrefix,
    };
  }

  /** The crawl's own limits determine its pages; a sample narrows them. */
  private qaConfig(item: Item): Record<string, unknown> {
    const config = item.config ? driverConfig(item.config, { hasAutoclick: false }) : {};
    const { limit, urlMatch } = item.qa ?? {};
    return {
      ...config,
      ...(limit ? { limit } : {}),
      ...(urlMatch ? { include: [escaped(urlMatch)], scopeType: 'custom' } : {}),
    };
  }

  /** Files of the crawl, and for replay only, of crawls whose payloads it refers to. */
  private async sources(org: Org, item: Item): Promise<QaResource[]> {
    const required = await this.required.find(item.oid, item.requiresCrawls ?? []);
    const owned = [
      { itemId: item._id, files: item.files, fromDependency: false },
      ...required.map(({ itemId, files }) => ({ itemId, files, fromDependency: true })),
    ];
    return owned.flatMap(({ itemId, files, fromDependency }) =>
      this.presigned.resources(org, [{ itemId, files, fromDependency }]).map((resource, index) => ({
        ...resource,
        path: this.reachable(org, files[index], resource.path),
        guarded: files[index] !== undefined && this.storages.isGuarded(files[index].storage),
      })),
    );
  }

  private reachable(org: Org, file: Item['files'][number] | undefined, path: string): string {
    return this.links.forCrawlers(file ? this.presigned.signInternal(org, file).url : path);
  }
}
