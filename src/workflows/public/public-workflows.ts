import { Injectable } from '@nestjs/common';
import { OrgNotFound } from '../../common/errors/domain-error.js';
import { ItemReader } from '../../items/item-reader.js';
import type { CrawlOutWithResources } from '../../items/dto/items.dto.js';
import type { Org } from '../../orgs/data/org.schema.js';
import { OrgsRepository } from '../../orgs/data/orgs.repository.js';
import type { Page } from '../../pages/data/page.schema.js';
import type { PageSearchQuery } from '../../pages/dto/page-queries.dto.js';
import { PagesService } from '../../pages/pages.service.js';
import { WorkflowsRepository } from '../data/workflows.repository.js';
import { WorkflowCrawls } from '../running/workflow-crawls.js';
import { WorkflowNotFound } from '../workflows.errors.js';

/** Replays shareable workflows for everyone. It always replays the last successful crawl. Contract: crawling §4.10. */
@Injectable()
export class PublicWorkflows {
  constructor(
    private readonly orgs: OrgsRepository,
    private readonly workflows: WorkflowsRepository,
    private readonly crawls: WorkflowCrawls,
    private readonly items: ItemReader,
    private readonly pages: PagesService,
  ) {}

  /** @returns null when no crawl has succeeded yet @throws OrgNotFound, WorkflowNotFound */
  async replay(oid: string, cid: string, origin: string): Promise<CrawlOutWithResources | null> {
    const org = await this.shareable(oid, cid);
    const crawlId = await this.crawls.lastSuccessfulId(oid, cid);
    if (!crawlId) return null;
    const detail = await this.items.detail(org, crawlId, { withDependencies: true, origin }, 'crawl');
    detail.pagesQueryUrl = `${origin}/api/orgs/${oid}/crawlconfigs/${cid}/public/pagesSearch`;
    return detail;
  }

  /** @throws OrgNotFound, WorkflowNotFound */
  async searchPages(oid: string, cid: string, query: PageSearchQuery): Promise<Page[]> {
    await this.shareable(oid, cid);
    const crawlId = await this.crawls.lastSuccessfulId(oid, cid);
    return crawlId ? this.pages.search(oid, [crawlId], query) : [];
  }

  private async shareable(oid: string, cid: string): Promise<Org> {
    const org = await this.orgs.findById(oid);
    if (!org) throw new OrgNotFound();
    const workflow = await this.workflows.findActive(oid, cid);
    if (!workflow?.shareable) throw new WorkflowNotFound();
    return org;
  }
}
