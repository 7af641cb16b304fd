import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { hours } from '../../common/units/durations.js';
import { AtStartup } from '../../database/startup.js';
import { PagesRepository } from '../../pages/data/pages.repository.js';
import { ItemMigrationsRepository } from '../data/item-migrations.repository.js';

const ITEMS_AT_ONCE = 150;

/**
 * Stores the words by which titles are searched, for pages of a database that was taken over. Until an item is done, a
 * search of its pages splits titles or uses MongoDB's text index, so nothing waits for this. Several processes may work
 * at once. After an interruption the work continues with what is left.
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
   * Reads the ids of all orgs that have items, and works on in the background. It starts again every hour, because a
   * process of an earlier version may have stored pages meanwhile.
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

  /** Resolves when the work that `start` began has ended. Only tests use this. */
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
