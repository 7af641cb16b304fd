import { Injectable } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';
import { CrawlNotFinished, CrawlStartFailed } from '../crawls/crawls.errors.js';
import { ChannelCatalog } from '../drivers/catalog/channel-catalog.js';
import { isImageAtLeast } from '../drivers/catalog/crawler-image.js';
import { isActive, isSuccessful } from '../items/data/item-state.facts.js';
import type { Item } from '../items/data/item.schema.js';
import type { Org } from '../orgs/data/org.schema.js';
import { OrgUsage } from '../orgs/org-usage.js';
import { WriteRefused } from '../orgs/orgs.errors.js';
import { Storages } from '../storage/storages.js';
import { WorkflowsReads } from '../workflows/data/workflows.reads.js';
import type { Workflow } from '../workflows/data/workflow.schema.js';
import {
  CrawlDidNotSucceed,
  InvalidCrawlForQa,
  QaAlreadyRunning,
  QaNotSupported,
  QaWorkflowNotFound,
} from './qa.errors.js';

/** Checks in the contract's order whether a crawl can have a QA run now. */
@Injectable()
export class QaStartCheck {
  constructor(
    private readonly usage: OrgUsage,
    private readonly workflows: WorkflowsReads,
    private readonly channels: ChannelCatalog,
    private readonly storages: Storages,
    private readonly config: AppConfig,
  ) {}

  /**
   * @throws WriteRefused, CrawlNotFinished, CrawlDidNotSucceed, QaNotSupported, QaAlreadyRunning, InvalidCrawlForQa,
   *   WriteRefused, QaWorkflowNotFound, CrawlStartFailed
   */
  async check(org: Org, crawl: Item): Promise<{ image: string; workflow: Workflow }> {
    if (org.readOnly) throw new WriteRefused('org_set_to_read_only');
    if (isActive(crawl.state)) throw new CrawlNotFinished();
    if (!isSuccessful(crawl.state)) throw new CrawlDidNotSucceed();
    if (!isImageAtLeast(crawl.image, this.config.crawls.minQaImage)) throw new QaNotSupported();
    if (crawl.qa) throw new QaAlreadyRunning();
    if (crawl.type === 'upload' || !crawl.cid || crawl.files.length === 0) throw new InvalidCrawlForQa();
    this.usage.assertCanWrite(org);
    const workflow = await this.workflows.findActive(org._id, crawl.cid);
    if (!workflow) throw new QaWorkflowNotFound();
    if (!this.storages.isKnown(org, org.storage))
      throw new CrawlStartFailed(`storage ${org.storage.name} is not configured`);
    return { image: this.channels.resolve(workflow.crawlerChannel).image, workflow };
  }
}
