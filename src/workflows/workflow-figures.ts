import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DomainEvents } from '../events/domain-events.js';
import { isFinal, isSuccessful } from '../items/data/item-state.facts.js';
import type { Item } from '../items/data/item.schema.js';
import {
  WorkflowFiguresRepository,
  type FigureChange,
  type LastCrawlFields,
} from './data/workflow-figures.repository.js';
import { WorkflowCrawls } from './workflow-crawls.js';

/** Readings that are void because another event came in between, before the last event's own reading is trusted. */
const MAX_TRIES = 20;

const NO_CRAWL: LastCrawlFields = {
  lastCrawlId: null,
  lastCrawlStartTime: null,
  lastStartedBy: null,
  lastStartedByName: null,
  lastCrawlTime: null,
  lastCrawlState: null,
  lastCrawlSize: 0,
  lastCrawlStats: null,
  lastCrawlStopping: false,
  lastRun: null,
  isCrawlRunning: false,
};

const fieldsOf = (crawl: Item, isRunning: boolean): LastCrawlFields => ({
  lastCrawlId: crawl._id,
  lastCrawlStartTime: crawl.started,
  lastStartedBy: crawl.userid,
  lastStartedByName: crawl.userName,
  lastCrawlTime: isRunning ? null : crawl.finished,
  lastCrawlState: crawl.state,
  lastCrawlSize: isRunning ? (crawl.stats?.size ?? 0) : crawl.fileSize,
  lastCrawlStats: crawl.stats,
  lastCrawlStopping: isRunning && (crawl.stopping ?? false),
  lastRun: isRunning ? crawl.started : crawl.finished,
  isCrawlRunning: isRunning,
});

/**
 * Keeps what workflows say of their crawls. Counters move once per event; the fields of the last crawl are read from the
 * crawls themselves, so that events told late or out of order end in the same figures. Contract: crawling §4.12.
 */
@Injectable()
export class WorkflowFigures implements OnModuleInit {
  constructor(
    private readonly figures: WorkflowFiguresRepository,
    private readonly crawls: WorkflowCrawls,
    private readonly events: DomainEvents,
  ) {}

  onModuleInit(): void {
    this.events.on('crawl.created', 'workflows.figures', ({ id, payload: { oid, cid } }) =>
      this.count(oid, cid, id, { crawlAttemptCount: 1 }),
    );
    this.events.on('crawl.stateChanged', 'workflows.figures', ({ payload: { oid, cid } }) => this.refresh(oid, cid));
    this.events.on('crawl.finished', 'workflows.figures', ({ id, payload: { oid, cid, state, fileSize } }) =>
      this.count(oid, cid, id, finished(state, fileSize, 1)),
    );
    this.events.on('item.deleted', 'workflows.figures', async ({ id, payload: { oid, cid, state, fileSize } }) => {
      if (cid) await this.count(oid, cid, id, isFinal(state) ? finished(state, fileSize, -1) : {});
    });
    this.events.on('user.renamed', 'workflows.names', ({ payload: { userId, name } }) =>
      this.figures.renameUserAcrossOrgs(userId, name),
    );
    this.events.on('collection.indexDeleted', 'workflows.dedupe-index', ({ payload: { oid, collectionId } }) =>
      this.figures.forgetDedupeIndex(oid, collectionId),
    );
    this.events.on('collection.deleted', 'workflows.collections', ({ payload: { oid, collectionId } }) =>
      this.figures.forgetCollection(oid, collectionId),
    );
  }

  private async count(oid: string, cid: string, eventId: string, change: FigureChange): Promise<void> {
    await this.figures.count(oid, cid, eventId, change);
    await this.refresh(oid, cid);
  }

  /** Reads the crawls and writes what they say, unless they changed after the reading. */
  private async refresh(oid: string, cid: string): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES; tries++) {
      const figuresRev = await this.figures.bump(oid, cid);
      if (figuresRev === null) return;
      const fields = await this.lastCrawl(oid, cid);
      if (await this.figures.setLastCrawl(oid, cid, figuresRev, fields)) return;
    }
    throw new Error(`the crawls of workflow ${cid} change faster than they can be read`);
  }

  private async lastCrawl(oid: string, cid: string): Promise<LastCrawlFields> {
    const active = await this.crawls.newestActive(oid, cid);
    if (active) return fieldsOf(active, true);
    const last = await this.crawls.lastFinished(oid, cid);
    return last ? fieldsOf(last, false) : NO_CRAWL;
  }
}

const finished = (state: string, fileSize: number, sign: 1 | -1): FigureChange => ({
  crawlCount: sign,
  crawlSuccessfulCount: isSuccessful(state) ? sign : 0,
  totalSize: sign * fileSize,
});
