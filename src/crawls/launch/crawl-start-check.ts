import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import { ChannelCatalog } from '../../drivers/catalog/channel-catalog.js';
import { isImageAtLeast } from '../../drivers/catalog/crawler-image.js';
import type { Tx } from '../../database/unit-of-work.js';
import type { StoredCrawlConfig } from '../../items/data/crawl-config.schema.js';
import type { StoredStorageRef } from '../../objects/data/stored-file.schema.js';
import type { Org } from '../../orgs/data/org.schema.js';
import { OrgUsage } from '../../orgs/org-usage.js';
import { pageLimitOf, quotasOf } from '../../orgs/rules/quota.rules.js';
import { Storages } from '../../storage/storages.js';
import type { Workflow } from '../../workflows/data/workflow.schema.js';
import { CrawlAlreadyRunning, CrawlStartFailed, SeedFileNotSupported, TooManyCrawlsQueued } from '../crawls.errors.js';
import { RunsRepository } from '../data/runs.repository.js';
import { warcPrefix } from '../rules/driver-config.js';
import { StartInputs } from './start-inputs.js';

/** What a start takes from outside the workflow. */
export interface StartPlan {
  /** The workflow's config. Its page limit is clamped by the org's quota. */
  readonly config: StoredCrawlConfig;
  readonly image: string;
  readonly proxyId: string | null;
  readonly profileKey: string | null;
  readonly storage: StoredStorageRef;
  readonly storageFilename: string;
  readonly warcPrefix: string;
}

/** Checks whether a workflow can be run now. Contract: crawling §4.9. */
@Injectable()
export class CrawlStartCheck {
  constructor(
    private readonly usage: OrgUsage,
    private readonly runs: RunsRepository,
    private readonly inputs: StartInputs,
    private readonly channels: ChannelCatalog,
    private readonly storages: Storages,
    private readonly config: AppConfig,
  ) {}

  /**
   * Checks a start.
   * @param isScheduled quotas skip a schedule's crawl only after it was made; it joins the queue however long that is
   *   (crawling §12.2)
   * @throws as `CrawlLauncher.start` says, in that order
   */
  async check(org: Org, workflow: Workflow, isScheduled: boolean): Promise<StartPlan> {
    if (!isScheduled) this.usage.assertCanWrite(org);
    if (await this.isRunning(org, workflow)) throw new CrawlAlreadyRunning();
    if (!isScheduled) await this.checkQueue(org);
    return this.plan(org, workflow);
  }

  /** Holds, in a transaction, things that could be deleted before its commit. @throws StartSeedFileNotFound */
  async take(workflow: Workflow, takenAt: Date, tx: Tx): Promise<void> {
    await this.inputs.take(workflow, takenAt, tx);
  }

  async isRunning(org: Org, workflow: Workflow): Promise<boolean> {
    return (await this.runs.activeOfWorkflow(org._id, workflow._id)).length > 0;
  }

  /** The workflow's present plan, for a start or for a running crawl that takes changed settings over. */
  async plan(org: Org, workflow: Workflow): Promise<StartPlan> {
    const { proxyId, profileKey } = await this.inputs.find(org, workflow);
    const { image } = this.channels.resolve(workflow.crawlerChannel);
    if (workflow.config.seedFileId && !isImageAtLeast(image, this.config.crawls.minSeedFileImage))
      throw new SeedFileNotSupported();
    const storage = { name: org.storage.name, custom: org.storage.custom };
    if (!this.storages.isKnown(org, storage)) throw new CrawlStartFailed(`storage ${storage.name} is not configured`);
    const limit = pageLimitOf(org, workflow.config.limit);
    return {
      config: { ...workflow.config, limit: limit ?? 0 },
      image,
      proxyId,
      profileKey,
      storage,
      storageFilename: workflow.crawlFilenameTemplate || this.config.crawls.filenameTemplate,
      warcPrefix: warcPrefix(org.slug, workflow.name, workflow.firstSeed),
    };
  }

  private async checkQueue(org: Org): Promise<void> {
    const { maxConcurrentCrawls } = quotasOf(org);
    const { queueLimitScale } = this.config.crawls;
    if (queueLimitScale <= 0 || maxConcurrentCrawls <= 0) return;
    const waiting = await this.runs.countInState(org._id, 'waiting_org_limit');
    if (waiting >= maxConcurrentCrawls * queueLimitScale) throw new TooManyCrawlsQueued();
  }
}
