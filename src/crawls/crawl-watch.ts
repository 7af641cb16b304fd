import { Injectable } from '@nestjs/common';
import { OpensSocket, type SocketPeer } from '../common/http/socket-upgrades.js';
import { canonicalItemId } from '../common/ids/item-id.js';
import { CrawlDriver } from '../drivers/crawl-driver.js';
import { isActive, isPaused } from '../items/data/item-state.facts.js';
import { ItemsRepository } from '../items/data/items.repository.js';
import { WindowLimits } from './control/window-limits.js';
import { lastingScreencast } from './lasting-screencast.js';

/**
 * The live view: a web socket for each instance of a running crawl, with the crawler's frames as text messages. The
 * socket opens as soon as the crawl exists, and waits for the browser. A crawl that is over or paused is refused with
 * 404. Contract: crawling §5.11.
 */
@Injectable()
export class CrawlWatch {
  constructor(
    private readonly items: ItemsRepository,
    private readonly driver: CrawlDriver,
    private readonly limits: WindowLimits,
  ) {}

  @OpensSocket({ path: /^\/watch\/(?<oid>[^/]+)\/(?<crawlId>[^/]+)\/(?<instance>\d{1,4})\/ws$/, role: 'crawler' })
  async open({ oid = '', crawlId: givenId = '', instance: index }: Record<string, string>): Promise<SocketPeer | null> {
    const instance = Number(index);
    const crawlId = canonicalItemId(givenId);
    const item = crawlId && (await this.items.findById(oid, crawlId, 'crawl'));
    if (!item || !isActive(item.state) || instance >= this.limits.instancesFor(item.browserWindows ?? 1)) return null;
    const first = await this.driver.screencast(item._id, instance);
    if (!first && isPaused(item.state)) return null;
    return lastingScreencast(first, {
      open: () => this.driver.screencast(item._id, instance),
      goesOn: async () => {
        const state = await this.items.stateOf(oid, item._id);
        return isActive(state) && !isPaused(state);
      },
    });
  }
}
