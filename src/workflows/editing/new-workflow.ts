import type { Principal } from '../../common/access/access.js';
import type { Workflow } from '../data/workflow.schema.js';
import type { CrawlConfigIn } from '../dto/workflows.dto.js';

/** The values that are worked out and checked before the document is made. */
export type NewWorkflow = Pick<
  Workflow,
  | '_id'
  | 'oid'
  | 'config'
  | 'firstSeed'
  | 'seedCount'
  | 'profileid'
  | 'proxyId'
  | 'dedupeCollId'
  | 'browserWindows'
  | 'nextRun'
> & { readonly actor: Principal; readonly now: Date };

const withForced = (ids: readonly string[], forced: string | null): string[] => [
  ...new Set(forced ? [...ids, forced] : ids),
];

/** Makes the document of a new workflow, with every field of crawling §3.1. */
export function newWorkflow(input: CrawlConfigIn, checked: NewWorkflow): Workflow {
  const { actor, now, ...fields } = checked;
  return {
    ...fields,
    name: input.name,
    description: input.description,
    tags: input.tags ?? [],
    jobType: input.jobType,
    schedule: input.schedule ?? '',
    scheduledBy: input.schedule ? actor.id : null,
    crawlerChannel: input.crawlerChannel,
    crawlTimeout: input.crawlTimeout,
    maxCrawlSize: input.maxCrawlSize,
    scale: null,
    crawlFilenameTemplate: input.crawlFilenameTemplate ?? null,
    autoAddCollections: withForced(input.autoAddCollections ?? [], fields.dedupeCollId),
    shareable: input.shareable,
    created: now,
    createdBy: actor.id,
    createdByName: actor.name,
    modified: now,
    modifiedBy: actor.id,
    modifiedByName: actor.name,
    rev: 0,
    inactive: false,
    crawlAttemptCount: 0,
    crawlCount: 0,
    crawlSuccessfulCount: 0,
    totalSize: 0,
    lastCrawlId: null,
    lastCrawlStartTime: null,
    lastStartedBy: input.runNow ? actor.id : null,
    lastStartedByName: input.runNow ? actor.name : null,
    lastCrawlTime: null,
    lastCrawlState: null,
    lastCrawlSize: null,
    lastRun: null,
    isCrawlRunning: false,
    lastCrawlStats: null,
    lastCrawlStopping: false,
    pendingFiring: null,
    skippedFiring: null,
    countedEvents: [],
    figuresRev: 0,
  };
}
