import { Injectable } from '@nestjs/common';
import type { Tx } from '../../database/unit-of-work.js';
import { ItemsRepository } from '../../items/data/items.repository.js';
import { BY_STATE, type Item } from '../../items/data/item.schema.js';
import { RUNNING_AND_WAITING, SUCCESSFUL } from '../../items/data/item-state.facts.js';
import type { ActiveCrawl } from '../workflow.presenter.js';

const ACTIVE_STATES = { $in: [...RUNNING_AND_WAITING] };
const SHOWN = { cid: 1, state: 1, stats: 1, stopping: 1, shouldPause: 1, pausedAt: 1, started: 1 } as const;
const WITHOUT_FILES = { files: 0, qa: 0, qaFinished: 0, config: 0 } as const;

/** Finds the crawls that workflows show. */
@Injectable()
export class WorkflowCrawls {
  constructor(private readonly items: ItemsRepository) {}

  /** Returns the active crawl of each of these workflows, by `cid`. Of several, the newest counts. */
  async active(oid: string, cids: readonly string[], tx?: Tx): Promise<Map<string, ActiveCrawl>> {
    if (cids.length === 0) return new Map();
    const crawls = await this.items.scoped.find(
      oid,
      { state: ACTIVE_STATES, cid: { $in: [...cids] }, type: 'crawl' },
      { limit: cids.length * 2, sort: { started: 1 }, projection: SHOWN, hint: BY_STATE, tx },
    );
    return new Map(crawls.map((crawl) => [crawl.cid as string, crawl]));
  }

  async hasActive(oid: string, cid: string, tx: Tx): Promise<boolean> {
    return (await this.active(oid, [cid], tx)).size > 0;
  }

  /** Returns the workflow's active crawl, without its files, config and QA runs. Of several, the newest counts. */
  async newestActive(oid: string, cid: string): Promise<Item | null> {
    return this.items.scoped.findOne(
      oid,
      { cid, type: 'crawl', state: ACTIVE_STATES },
      { sort: { started: -1 }, projection: WITHOUT_FILES },
    );
  }

  /** Returns the workflow's crawl that finished last. */
  async lastFinished(oid: string, cid: string): Promise<Item | null> {
    return this.items.scoped.findOne(
      oid,
      { cid, type: 'crawl', finished: { $ne: null } },
      { sort: { finished: -1 }, projection: WITHOUT_FILES },
    );
  }

  /** Returns the id of the workflow's successful crawl that finished last. */
  async lastSuccessfulId(oid: string, cid: string): Promise<string | null> {
    const found = await this.items.scoped.findOne(
      oid,
      { cid, type: 'crawl', state: { $in: [...SUCCESSFUL] } },
      { sort: { finished: -1 }, projection: { _id: 1 } },
    );
    return found?._id ?? null;
  }
}
