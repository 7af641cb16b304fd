import { wireTime, wireTimeOrNull, wireSecondOrNull } from '../common/validation/date-time.js';
import { minutes } from '../common/units/durations.js';
import { toConfigOut } from '../items/crawl-config.presenter.js';
import { wholeSeed } from '../items/whole-seed.js';
import type { Item } from '../items/data/item.schema.js';
import type { WorkflowRevision } from './data/workflow-revision.schema.js';
import type { Workflow } from './data/workflow.schema.js';
import type { ListedWorkflow } from './data/workflows.queries.js';
import type { ConfigRevision, CrawlConfigOut } from './dto/workflows.dto.js';

/** A workflow to show. Lists leave the config out. */
export type ShownWorkflow = ListedWorkflow & Partial<Pick<Workflow, 'config'>>;

/** The fields of a running crawl that its workflow shows. */
export type ActiveCrawl = Pick<Item, '_id' | 'state' | 'stats' | 'stopping' | 'shouldPause' | 'pausedAt'>;

export interface WorkflowContext {
  /** The workflow's running or waiting crawl. */
  readonly active: ActiveCrawl | undefined;
  /** Name of the workflow's profile; "" when the profile is gone, null when there is none. */
  readonly profileName: string | null;
  /** Proxy of the workflow's profile. Where it is given, it applies instead of the workflow's own. */
  readonly profileProxyId?: string | null;
  readonly pausedLimitMinutes: number;
}

/** Returns what a workflow says of its last crawl, with live figures while one is active. Contract: crawling §4.8. */
function lastCrawlOf(workflow: ShownWorkflow, { active, pausedLimitMinutes }: WorkflowContext) {
  if (!active)
    return {
      lastCrawlState: workflow.lastCrawlState ?? null,
      lastCrawlSize: workflow.lastCrawlSize ?? null,
      lastCrawlStopping: workflow.lastCrawlStopping ?? false,
      lastCrawlShouldPause: false,
      lastCrawlPausedAt: null,
      lastCrawlPausedExpiry: null,
      lastCrawlStats: statsOf(workflow.lastCrawlStats),
      isCrawlRunning: workflow.isCrawlRunning ?? false,
    };
  const { pausedAt, stats } = active;
  return {
    lastCrawlState: active.state,
    lastCrawlSize: stats?.size ?? 0,
    lastCrawlStopping: active.stopping ?? false,
    lastCrawlShouldPause: active.shouldPause ?? false,
    lastCrawlPausedAt: wireTimeOrNull(pausedAt),
    lastCrawlPausedExpiry: pausedAt ? wireTime(new Date(pausedAt.getTime() + minutes(pausedLimitMinutes))) : null,
    lastCrawlStats: statsOf(stats),
    isCrawlRunning: true,
  };
}

function statsOf(stats: Workflow['lastCrawlStats'] | Item['stats']) {
  if (!stats) return null;
  return { found: stats.found, done: stats.done, size: stats.size, req_crawls: stats.req_crawls ?? [] };
}

function figuresOf(workflow: ShownWorkflow) {
  return {
    crawlAttemptCount: workflow.crawlAttemptCount ?? 0,
    crawlCount: workflow.crawlCount ?? 0,
    crawlSuccessfulCount: workflow.crawlSuccessfulCount ?? 0,
    totalSize: workflow.totalSize ?? 0,
    lastCrawlId: workflow.lastCrawlId ?? null,
    lastCrawlStartTime: wireSecondOrNull(workflow.lastCrawlStartTime),
    lastStartedBy: workflow.lastStartedBy ?? null,
    lastStartedByName: workflow.lastStartedByName ?? null,
    lastCrawlTime: wireTimeOrNull(workflow.lastCrawlTime),
    lastRun: wireSecondOrNull(workflow.lastRun),
    nextRun: wireTimeOrNull(workflow.nextRun),
  };
}

function authorshipOf(workflow: ShownWorkflow) {
  return {
    created: wireTime(workflow.created),
    createdBy: workflow.createdBy ?? null,
    createdByName: workflow.createdByName ?? null,
    modified: wireTimeOrNull(workflow.modified),
    modifiedBy: workflow.modifiedBy ?? null,
    modifiedByName: workflow.modifiedByName ?? null,
  };
}

export function toWorkflowOut(workflow: ShownWorkflow, context: WorkflowContext): CrawlConfigOut {
  return {
    id: workflow._id,
    oid: workflow.oid,
    name: workflow.name ?? null,
    description: workflow.description ?? null,
    ...authorshipOf(workflow),
    autoAddCollections: workflow.autoAddCollections ?? [],
    inactive: workflow.inactive ?? false,
    rev: workflow.rev ?? 0,
    ...figuresOf(workflow),
    ...lastCrawlOf(workflow, context),
    crawlFilenameTemplate: workflow.crawlFilenameTemplate ?? null,
    shareable: workflow.shareable ?? false,
    schedule: workflow.schedule ?? null,
    jobType: workflow.jobType ?? null,
    config: workflow.config ? toConfigOut(workflow.config) : null,
    tags: workflow.tags ?? [],
    crawlTimeout: workflow.crawlTimeout ?? 0,
    maxCrawlSize: workflow.maxCrawlSize ?? 0,
    scale: null,
    browserWindows: workflow.browserWindows ?? 2,
    profileid: workflow.profileid ?? null,
    profileName: context.profileName,
    crawlerChannel: workflow.crawlerChannel ?? null,
    proxyId: context.profileProxyId === undefined ? (workflow.proxyId ?? null) : context.profileProxyId,
    firstSeed: workflow.firstSeed ?? '',
    seedCount: workflow.seedCount ?? 0,
    dedupeCollId: workflow.dedupeCollId ?? null,
  };
}

export function toRevisionOut(revision: WorkflowRevision): ConfigRevision {
  return {
    id: revision._id,
    cid: revision.cid,
    schedule: revision.schedule ?? null,
    config: { ...toConfigOut(revision.config), seeds: (revision.config.seeds ?? []).map(wholeSeed) },
    profileid: revision.profileid ?? null,
    crawlerChannel: revision.crawlerChannel ?? null,
    proxyId: revision.proxyId ?? null,
    crawlTimeout: revision.crawlTimeout ?? null,
    maxCrawlSize: revision.maxCrawlSize ?? null,
    scale: revision.scale ?? null,
    browserWindows: revision.browserWindows ?? null,
    modified: wireTime(revision.modified),
    modifiedBy: revision.modifiedBy ?? null,
    rev: revision.rev,
  };
}
