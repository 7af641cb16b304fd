import { Injectable } from '@nestjs/common';
import type { Principal } from '../common/access/access.js';
import { CrawlSettings } from '../crawls/control/crawl-settings.js';
import type { Org } from '../orgs/data/org.schema.js';
import { WorkflowsRepository } from './data/workflows.repository.js';
import { asList, isRegex } from './rules/config.rules.js';
import { WorkflowEditor } from './editing/workflow-editor.js';
import { ExclusionExists, ExclusionNotFound, WorkflowChangedMeanwhile, WorkflowNotFound } from './workflows.errors.js';
import { InvalidRegex } from '../crawls/crawls.errors.js';

/** Number of tries of a change that other writers of the workflow overtake. */
const MAX_TRIES = 8;

export interface ExclusionChange {
  readonly regex: string;
  /** Whether the exclusion is added; otherwise it is removed. */
  readonly add: boolean;
}

/**
 * Changes exclusions of running crawls and of their workflows. The steps are in the contract's order. Contract:
 * crawling §5.6.
 */
@Injectable()
export class Exclusions {
  constructor(
    private readonly workflows: WorkflowsRepository,
    private readonly editor: WorkflowEditor,
    private readonly crawls: CrawlSettings,
  ) {}

  /** @throws InvalidRegex, ItemNotFound, CrawlNotRunning, WorkflowNotFound, ExclusionExists, ExclusionNotFound */
  async change(org: Org, actor: Principal, crawlId: string, change: ExclusionChange): Promise<void> {
    if (change.add && !isRegex(change.regex)) throw new InvalidRegex();
    const { cid } = await this.crawls.activeCrawl(org._id, crawlId);
    const exclude = await this.changeWorkflow(org, actor, cid ?? '', change);
    await this.crawls.setExclusions(org._id, crawlId, { exclude }, change);
  }

  /** @returns the new list of exclusions */
  private async changeWorkflow(org: Org, actor: Principal, cid: string, change: ExclusionChange): Promise<string[]> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const workflow = await this.workflows.findActive(org._id, cid);
      if (!workflow) throw new WorkflowNotFound();
      const exclude = changed(asList(workflow.config.exclude), change);
      if (await this.editor.setExclude(actor, workflow, exclude)) return exclude;
    }
    throw new WorkflowChangedMeanwhile();
  }
}

function changed(list: readonly string[], { regex, add }: ExclusionChange): string[] {
  const isThere = list.includes(regex);
  if (add && isThere) throw new ExclusionExists();
  if (!add && !isThere) throw new ExclusionNotFound();
  return add ? [...list, regex] : list.filter((entry) => entry !== regex);
}
