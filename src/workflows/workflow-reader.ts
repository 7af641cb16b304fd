import { Injectable } from '@nestjs/common';
import { checkSort, pageBounds, pageOf, type ListPage, type PageQuery } from '../common/pagination/page.js';
import { givenText } from '../common/validation/percent-decoding.js';
import { AppConfig } from '../config/app-config.js';
import { ProfilesRepository } from '../profiles/data/profiles.repository.js';
import { WorkflowRevisionsRepository } from './data/workflow-revisions.repository.js';
import { WORKFLOW_SORTS } from './data/workflow.schema.js';
import { WorkflowsQueries, type WorkflowFilter, type WorkflowListSort } from './data/workflows.queries.js';
import { WorkflowsRepository } from './data/workflows.repository.js';
import type { ConfigRevision, CrawlConfigOut } from './dto/workflows.dto.js';
import type { WorkflowListQuery } from './dto/workflow-queries.dto.js';
import { toSeedPage } from '../items/crawl-config.presenter.js';
import type { Seed } from '../items/dto/crawl-config.dto.js';
import { WorkflowCrawls } from './running/workflow-crawls.js';
import { toRevisionOut, toWorkflowOut } from './workflow.presenter.js';
import { WorkflowNotFound } from './workflows.errors.js';

function toFilter(query: WorkflowListQuery): WorkflowFilter {
  return {
    createdBy: query.userid,
    modifiedBy: query.modifiedBy,
    profileIds: query.profileIds,
    firstSeed: givenText(query.firstSeed),
    name: givenText(query.name),
    description: givenText(query.description),
    tags: query.tags ?? query.tag,
    needsAllTags: query.tagMatch !== 'or',
    dedupeCollId: query.dedupeCollId,
    lastCrawlState: query.lastCrawlState,
    hasSchedule: query.schedule,
    isCrawlRunning: query.isCrawlRunning,
  };
}

/** Shows workflows as the API does, with the live figures of their running crawls. Contract: crawling §4.6–4.10. */
@Injectable()
export class WorkflowReader {
  constructor(
    private readonly workflows: WorkflowsRepository,
    private readonly queries: WorkflowsQueries,
    private readonly revisions: WorkflowRevisionsRepository,
    private readonly profiles: ProfilesRepository,
    private readonly crawls: WorkflowCrawls,
    private readonly config: AppConfig,
  ) {}

  /** @throws WorkflowNotFound */
  async get(oid: string, cid: string): Promise<CrawlConfigOut> {
    const workflow = await this.workflows.find(oid, cid);
    if (!workflow) throw new WorkflowNotFound();
    const [active, profile] = await Promise.all([
      this.crawls.active(oid, [cid]),
      workflow.profileid ? this.profiles.find(oid, workflow.profileid) : null,
    ]);
    return toWorkflowOut(workflow, {
      active: active.get(cid),
      profileName: workflow.profileid ? (profile?.name ?? '') : null,
      profileProxyId: workflow.profileid ? (profile?.proxyId ?? null) : undefined,
      pausedLimitMinutes: this.config.crawls.pausedLimitMinutes,
    });
  }

  async list(oid: string, query: WorkflowListQuery): Promise<ListPage<CrawlConfigOut>> {
    const sort = checkSort(WORKFLOW_SORTS, query.sortBy, query.sortDirection) as WorkflowListSort | null;
    const { total, items } = await this.queries.list(oid, toFilter(query), sort, pageBounds(query));
    const profileIds = [...new Set(items.flatMap(({ profileid }) => profileid ?? []))];
    const [active, names] = await Promise.all([
      this.crawls.active(
        oid,
        items.map(({ _id }) => _id),
      ),
      this.profiles.namesOf(oid, profileIds),
    ]);
    const { pausedLimitMinutes } = this.config.crawls;
    const shown = items.map((workflow) =>
      toWorkflowOut(workflow, {
        active: active.get(workflow._id),
        profileName: workflow.profileid ? (names.get(workflow.profileid) ?? '') : null,
        pausedLimitMinutes,
      }),
    );
    return pageOf(query, total, shown);
  }

  /** @throws WorkflowNotFound also for a deactivated one */
  async seeds(oid: string, cid: string, query: PageQuery): Promise<ListPage<Seed>> {
    const workflow = await this.workflows.findActive(oid, cid);
    if (!workflow) throw new WorkflowNotFound();
    return toSeedPage(query, workflow.config);
  }

  /** @throws WorkflowNotFound */
  async revisionsOf(oid: string, cid: string, query: PageQuery): Promise<ListPage<ConfigRevision>> {
    if (!(await this.workflows.find(oid, cid))) throw new WorkflowNotFound();
    const [items, total] = await Promise.all([this.revisions.list(cid, pageBounds(query)), this.revisions.count(cid)]);
    return pageOf(query, total, items.map(toRevisionOut));
  }
}
