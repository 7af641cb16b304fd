import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { CrawlDriver } from '../../drivers/crawl-driver.js';
import { ChannelCatalog } from '../../drivers/catalog/channel-catalog.js';
import { isImageAtLeast } from '../../drivers/catalog/crawler-image.js';
import { ProxyCatalog } from '../../drivers/catalog/proxy-catalog.js';
import { Links } from '../../links/links.js';
import type { CrawlJobSpec, RunProxy } from '../../drivers/crawl-driver.types.js';
import { SeedFilesRepository } from '../../files/data/seed-files.repository.js';
import type { Org } from '../../orgs/data/org.schema.js';
import { PresignedFiles } from '../../storage/presigned-files.js';
import { Storages } from '../../storage/storages.js';
import { driverConfig } from '../rules/driver-config.js';
import { isSinglePage } from '../rules/single-page.js';
import { RunInputGone } from '../run/run-input-gone.js';
import type { RunContext } from '../run/run-kind.js';

/** Puts together what a driver needs to run a crawl. The result carries secrets. Contract: crawling §14, §14.7. */
@Injectable()
export class CrawlSpecBuilder {
  constructor(
    private readonly storages: Storages,
    private readonly presigned: PresignedFiles,
    private readonly seedFiles: SeedFilesRepository,
    private readonly channels: ChannelCatalog,
    private readonly proxies: ProxyCatalog,
    private readonly config: AppConfig,
    private readonly links: Links,
    private readonly driver: CrawlDriver,
  ) {}

  async build({ job, item, org }: RunContext): Promise<CrawlJobSpec> {
    if (!item.config) throw new Error(`crawl ${item._id} has no config`);
    const channel = this.channels.resolve(item.crawlerChannel);
    const { ref, keyPrefix, s3 } = this.storages.forCrawler(org, job.storage);
    const seedFile = item.config.seedFileId ? await this.seedFile(org, item.config.seedFileId) : undefined;
    const seedFileUrl = seedFile?.seedFileUrl;
    const proxy = item.proxyId ? await this.proxy(item.proxyId) : undefined;
    const dedupeCollectionId = this.driver.usesDedupeIndex ? job.dedupeCollId : null;
    const hasAutoclick = isImageAtLeast(channel.image, this.config.crawls.minAutoclickImage);
    return {
      jobId: job._id,
      crawlId: job.crawlId,
      kind: 'crawl',
      oid: job.oid,
      cid: job.cid,
      userId: job.userid,
      image: channel.image,
      imagePullPolicy: channel.imagePullPolicy,
      config: driverConfig(item.config, { seedFileUrl, hasAutoclick, isCompared: dedupeCollectionId !== null }),
      browserWindows: job.browserWindows,
      windowsPerInstance: this.config.crawls.windowsPerInstance,
      singlePage: isSinglePage(item.config),
      storage: { ref, keyPrefix, ...(s3 ? { s3 } : {}) },
      storageFilename: job.storageFilename,
      warcPrefix: job.warcPrefix,
      ...(job.profileKey ? { profile: { key: job.profileKey, save: true } } : {}),
      ...(proxy ? { proxy } : {}),
      ...(dedupeCollectionId ? { dedupeCollectionId } : {}),
      ...seedFile,
    };
  }

  /** The seed file's URL. It is absolute, because a crawler is another process, if not on another machine. */
  private async seedFile(org: Org, fileId: string): Promise<{ seedFileUrl: string; isSeedFileGuarded: boolean }> {
    const file = await this.seedFiles.find(org._id, fileId);
    if (!file) throw new RunInputGone('The seed file that the crawl starts from is gone');
    const seedFileUrl = this.links.forCrawlers(this.presigned.signInternal(org, file).url);
    return { seedFileUrl, isSeedFileGuarded: this.storages.isGuarded(file.storage) };
  }

  /**
   * The proxy of the run. A proxy that was removed from the configuration since the start is an error and is not
   * ignored.
   */
  private async proxy(proxyId: string): Promise<RunProxy> {
    const found = await this.proxies.forRun(proxyId);
    if (!found) throw new RunInputGone(`There is no proxy "${proxyId}" any more`);
    return found;
  }
}
