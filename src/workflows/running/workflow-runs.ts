import { Injectable } from '@nestjs/common';
import type { Principal } from '../../common/access/access.js';
import { CrawlSettings } from '../../crawls/control/crawl-settings.js';
import { CrawlNotRunning } from '../../crawls/crawls.errors.js';
import type { Org } from '../../orgs/data/org.schema.js';
import { WorkflowsRepository } from '../data/workflows.repository.js';
import type { Workflow } from '../data/workflow.schema.js';
import { WorkflowCrawls } from './workflow-crawls.js';
import { WorkflowNotFound } from '../workflows.errors.js';
import { CrawlLauncher } from './crawl-launcher.js';

/** Starts crawls of workflows for users, and changes the settings of active ones. Contract: crawling §4.9. */
@Injectable()
export class WorkflowRuns {
  constructor(
    private readonly workflows: WorkflowsRepository,
    private readonly launcher: CrawlLauncher,
    private readonly crawls: WorkflowCrawls,
    private readonly settings: CrawlSettings,
  ) {}

  /**
   * Starts a crawl of a workflow.
   * @returns the crawl's id
   * @throws WorkflowNotFound, and what `CrawlLauncher.start` refuses
   */
  async start(org: Org, actor: Principal, cid: string): Promise<string> {
    const workflow = await this.workflows.findActive(org._id, cid);
    if (!workflow) throw new WorkflowNotFound();
    return this.launcher.start(org, workflow, actor);
  }

  /**
   * Passes a workflow's changed settings to its active crawl.
   * @returns false when there is none, or when it ended meanwhile
   * @throws what `CrawlSettings.reconfigure` refuses
   */
  async reconfigure(org: Org, workflow: Workflow): Promise<boolean> {
    const active = (await this.crawls.active(org._id, [workflow._id])).get(workflow._id);
    if (!active) return false;
    try {
      await this.settings.reconfigure(org, active._id, workflow);
      return true;
    } catch (error) {
      if (error instanceof CrawlNotRunning) return false;
      throw error;
    }
  }
}
