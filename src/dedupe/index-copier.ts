import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Clock } from '../common/clock/clock.js';
import { isDatabaseAway } from '../common/errors/database-away.js';
import { seconds } from '../common/units/durations.js';
import { LeasedWorker, type ClaimedWork } from '../database/leased-worker.js';
import type { Held } from '../database/leases.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { CrawlDriver } from '../drivers/crawl-driver.js';
import { IndexCopyRefused, type OpenIndexCopy } from '../drivers/index-copy.js';
import { isActive } from '../items/data/item-state.facts.js';
import { ItemsRepository } from '../items/data/items.repository.js';
import { KeptItems } from '../items/deletion/kept-items.js';
import { DedupeCopiesRepository } from './data/dedupe-copies.repository.js';
import type { DedupeCopy } from './data/dedupe-copy.schema.js';
import type { IndexKey } from './data/dedupe-sources.repository.js';
import { IndexFilling } from './index-filling.js';

/** One process fills this many copies at a time. Each keeps a cursor open, and little else. */
const MAX_AT_ONCE = 2;
/** A crawl that waits for its copy is looked at again so soon. */
const SOON_MS = seconds(1);
/** Copies are compared with their indexes this often: what holds a copy may have lost its data unnoticed. */
const AGAIN_MS = seconds(15);

/**
 * Fills the copies of dedupe indexes that crawlers in containers read by themselves, and keeps them up while the crawls
 * run. Crawlers that ask instead have no copies. Contract: crawling §13.
 */
@Injectable()
export class IndexCopier extends LeasedWorker<Held<DedupeCopy>> {
  constructor(
    private readonly copies: DedupeCopiesRepository,
    private readonly filling: IndexFilling,
    private readonly items: ItemsRepository,
    private readonly kept: KeptItems,
    private readonly transactions: UnitOfWork,
    private readonly driver: CrawlDriver,
    private readonly clock: Clock,
  ) {
    super(copies.leases, new Logger('dedupe'));
  }

  /**
   * Whether a crawl may start as far as its copy goes. The first question has the copy filled, and followed by what
   * changes in the index until the crawl has ended.
   */
  async isFilled(key: IndexKey, crawlId: string): Promise<boolean> {
    if (!this.driver.openIndexCopy) return true;
    const isReady = await this.copies.isReady(key.oid, crawlId);
    if (isReady !== null) return isReady;
    await this.copies.want(key, crawlId);
    this.wake();
    return false;
  }

  /** Has the copies of an index follow it now. */
  async indexChanged(key: IndexKey): Promise<void> {
    if (!this.driver.openIndexCopy) return;
    await this.copies.setDue(key);
    this.wake();
  }

  @Interval(SOON_MS)
  override look(): Promise<number> {
    return this.driver.openIndexCopy ? super.look() : Promise.resolve(0);
  }

  protected async claim(): Promise<ClaimedWork<Held<DedupeCopy>>> {
    const held = this.underWay.length < MAX_AT_ONCE ? await this.copies.claimNext() : null;
    return { held: held ? [held] : [], more: held !== null };
  }

  protected async work(held: Held<DedupeCopy>): Promise<void> {
    const { oid, _id: crawlId } = held.record;
    if (!this.driver.openIndexCopy) return;
    if (!(await this.isActive(oid, crawlId))) return this.copies.drop(oid, crawlId);
    let ready: boolean;
    try {
      ready = await this.bringUpToDate(held, this.driver.openIndexCopy);
    } catch (error) {
      if (isDatabaseAway(error) || held.lease.isLost || this.stopping.aborted) throw error;
      // What is in the copy so far is of use, so a crawl does not wait for a place that may never take more.
      ready = held.record.ready || error instanceof IndexCopyRefused;
      this.logger.warn({ event: 'dedupe_copy_behind', oid, crawlId, problem: String(error) });
    }
    const wait = ready ? AGAIN_MS : SOON_MS;
    await this.copies.looked(held.lease, { ready, dueAt: new Date(this.clock.nowMs() + wait) });
  }

  /** @returns whether the crawl may start */
  private async bringUpToDate({ record, lease }: Held<DedupeCopy>, open: OpenIndexCopy): Promise<boolean> {
    const { _id: crawlId, oid, collectionId, ready } = record;
    const copy = await open(crawlId);
    if (typeof copy === 'string') return ready || copy === 'none';
    const signal = AbortSignal.any([lease.lost, this.stopping]);
    const filling = { copy, key: { oid, collectionId }, crawlId, signal };
    await this.filling.bringUpToDate(filling, () => this.isStillActive(oid, crawlId));
    return true;
  }

  /** A crawl's end releases its holds, but may have done so before the last were written. */
  private async isStillActive(oid: string, crawlId: string): Promise<boolean> {
    if (await this.isActive(oid, crawlId)) return true;
    await this.transactions.run((tx) => this.kept.letGo(oid, crawlId, tx));
    return false;
  }

  private async isActive(oid: string, crawlId: string): Promise<boolean> {
    const crawl = await this.items.findById(oid, crawlId);
    return crawl !== null && !crawl.deleted && isActive(crawl.state);
  }
}
