import { Injectable, type OnModuleInit } from '@nestjs/common';
import { SocketUpgrades, type SocketPeer } from '../common/http/socket-upgrades.js';
import { canonicalItemId } from '../common/ids/item-id.js';
import { CrawlDriver } from '../drivers/crawl-driver.js';
import { isActive } from '../items/data/item-state.schema.js';
import { ItemsRepository } from '../items/data/items.repository.js';

/**
 * The live view: a web socket for each instance of a running crawl, with the crawler's frames as text messages. What is
 * not running is refused with 404. Contract: crawling §5.11.
 */
@Injectable()
export class CrawlWatch implements OnModuleInit {
  constructor(
    private readonly sockets: SocketUpgrades,
    private readonly items: ItemsRepository,
    private readonly driver: CrawlDriver,
  ) {}

  onModuleInit(): void {
    this.sockets.register({
      path: /^\/watch\/(?<oid>[^/]+)\/(?<crawlId>[^/]+)\/(?<instance>\d{1,4})\/ws$/,
      role: 'crawler',
      open: (params) => this.open(params['oid'] ?? '', params['crawlId'] ?? '', Number(params['instance'])),
    });
  }

  private async open(oid: string, givenId: string, instance: number): Promise<SocketPeer | null> {
    const crawlId = canonicalItemId(givenId);
    const item = crawlId && (await this.items.findById(oid, crawlId, 'crawl'));
    return item && isActive(item.state) ? this.driver.screencast(item._id, instance) : null;
  }
}
