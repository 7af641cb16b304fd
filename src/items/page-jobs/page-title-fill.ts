import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { hours } from '../../common/units/durations.js';
import { AtStartup } from '../../database/startup.js';
import { PagesRepository } from '../../pages/data/pages.repository.js';
import { ItemMigrationsRepository } from '../data/item-migrations.repository.js';

const ITEMS_AT_ONCE = 150;

/**
 * Gives the pages of a database that was taken over the words that titles are searched by. Until an item is done a
 * search of it splits titles or goes by MongoDB's text index, so nothing waits for this; several processes may do it at
 * once, and one that is interrupted goes on with what is left.
 */
@Injectable()
export class PageTitleFill implements OnModuleDestroy {
  private readonly logger = new Logger('items');
  private readonly stopping = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    private readonly items: ItemMigrationsRepository,
    private readonly pages: PagesRepository,
  ) {}

  async onModuleDestroy(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  /**
   * Begins with the orgs there are; the rest goes on beside the service. Again every hour: a process of an earlier version
   * may have stored some beside this one.
   */
  @AtStartup('page-titles', { after: 'dead-imports' })
  @Interval(hours(1))
  async start(): Promise<void> {
    if (this.running || this.stopping.signal.aborted) return;
    const oids = await this.items.orgs();
    this.running = this.fill(oids)
      .catch((error: unknown) => this.logger.error({ event: 'page_titles_not_filled', err: error }))
      .finally(() => (this.running = undefined));
  }

  /** Ends when what `start` began has ended; for tests. */
  async settled(): Promise<void> {
    await this.running;
  }

  private async fill(oids: readonly string[]): Promise<void> {
    let count = 0;
    for (const oid of oids)
      for await (const ids of this.items.idsOf(oid, ITEMS_AT_ONCE)) {
        if (this.stopping.signal.aborted) return;
        count += await this.pages.fillTitleWords(oid, ids, this.stopping.signal);
      }
    if (count > 0) this.logger.log({ event: 'page_titles_filled', count });
  }
}
