import { Injectable } from '@nestjs/common';
import type { DomainEvent } from '../events/event-types.js';
import { OnFact } from '../events/on-fact.js';
import { isFinal, isSuccessful } from '../items/data/item-state.facts.js';
import type { Item } from '../items/data/item.schema.js';
import {
  WorkflowFiguresRepository,
  type FigureChange,
  type LastCrawlFields,
} from './data/workflow-figures.repository.js';
import { WorkflowCrawls } from './running/workflow-crawls.js';

/** Number of readings that other events may void before this gives up. */
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
 * Updates the figures that workflows keep of their crawls. Counters change once per event. The fields of the last crawl
 * are read from the crawls themselves. Events that arrive late or out of order therefore lead to the same figures.
 * Contract: crawling §4.12.
 */
@Injectable()
export class WorkflowFigures {
  constructor(
    private readonly figures: WorkflowFiguresRepository,
    private readonly crawls: WorkflowCrawls,
  ) {}

  @OnFact('crawl.created', 'workflows.figures')
  async crawlCreated({ id, payload: { oid, cid } }: DomainEvent<'crawl.created'>): Promise<void> {
    await this.count(oid, cid, id, { crawlAttemptCount: 1 });
  }

  @OnFact('crawl.stateChanged', 'workflows.figures')
  async stateChanged({ payload: { oid, cid } }: DomainEvent<'crawl.stateChanged'>): Promise<void> {
    await this.refresh(oid, cid);
  }

  @OnFact('crawl.finished', 'workflows.figures')
  async crawlFinished({ id, payload: { oid, cid, state, fileSize } }: DomainEvent<'crawl.finished'>): Promise<void> {
    await this.count(oid, cid, id, finished(state, fileSize, 1));
  }

  @OnFact('item.deleted', 'workflows.figures')
  async itemDeleted({ id, payload: { oid, cid, state, fileSize } }: DomainEvent<'item.deleted'>): Promise<void> {
    if (cid) await this.count(oid, cid, id, isFinal(state) ? finished(state, fileSize, -1) : {});
  }

  @OnFact('user.renamed', 'workflows.names')
  async userRenamed({ payload: { userId, name } }: DomainEvent<'user.renamed'>): Promise<void> {
    await this.figures.renameUserAcrossOrgs(userId, name);
  }

  @OnFact('collection.indexDeleted', 'workflows.dedupe-index')
  async indexDeleted({ payload: { oid, collectionId } }: DomainEvent<'collection.indexDeleted'>): Promise<void> {
    await this.figures.forgetDedupeIndex(oid, collectionId);
  }

  @OnFact('collection.deleted', 'workflows.collections')
  async collectionDeleted({ payload: { oid, collectionId } }: DomainEvent<'collection.deleted'>): Promise<void> {
    await this.figures.forgetCollection(oid, collectionId);
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
