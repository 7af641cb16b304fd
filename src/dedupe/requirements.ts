import { Injectable, Logger } from '@nestjs/common';
import type { Tx } from '../database/unit-of-work.js';
import { CrawlDriver } from '../drivers/crawl-driver.js';
import { ItemHoldsRepository } from '../items/data/item-holds.repository.js';
import { ItemLinksRepository } from '../items/data/item-links.repository.js';
import { KeptItemsRepository } from '../items/data/kept-items.repository.js';
import type { StoredFile } from '../objects/data/stored-file.schema.js';
import { type StorageOwner, Storages } from '../storage/storages.js';
import { openArchive } from '../wacz/object-byte-source.js';
import { requiredItems } from '../wacz/required-items.js';

/** Which items a crawl refers to, where its driver does not know, or not all. */
@Injectable()
export class Requirements {
  private readonly logger = new Logger('dedupe');

  constructor(
    private readonly storages: Storages,
    private readonly holds: ItemHoldsRepository,
    private readonly driver: CrawlDriver,
    private readonly links: ItemLinksRepository,
    private readonly kept: KeptItemsRepository,
  ) {}

  /** Whether files have to say it: crawlers that ask for originals report what they use from disk. */
  get areInFiles(): boolean {
    return this.driver.openIndexCopy !== undefined;
  }

  /**
   * What the files of a crawl refer to, as they say themselves: the Redis that crawlers in containers report to may lose
   * its data while files that were stored before stay. Of each file the end is read, by range.
   * @returns ids of items; null when a file cannot be read now
   */
  async ofFiles(
    owner: StorageOwner,
    { crawlId, files }: { crawlId: string; files: readonly StoredFile[] },
  ): Promise<string[] | null> {
    const required = new Set<string>();
    for (const { filename, storage } of files) {
      try {
        const archive = await openArchive(this.storages.resolve(owner, storage), filename);
        for (const itemId of await requiredItems(archive)) if (itemId !== crawlId) required.add(itemId);
      } catch (error) {
        this.logger.warn({ event: 'requirements_not_read', crawlId, file: filename, err: error });
        return null;
      }
    }
    return [...required];
  }

  /**
   * What a crawl that the driver has lost refers to. Nobody knows what it used of all that it was told of. One that read
   * a copy of the index was told of everything, so its files decide where they could be read.
   */
  async ofLost(crawl: { oid: string; crawlId: string }, inFiles: readonly string[] | null, tx: Tx): Promise<string[]> {
    if (inFiles) return [...inFiles];
    return this.holds.heldBy(crawl.oid, crawl.crawlId, tx);
  }

  /**
   * Adds what the items themselves refer to. A skipped page has its pictures from the item that holds its document, and
   * that may have them from others. One step is enough: the page was run in full in the crawl that holds its document.
   */
  async ofSkipped(oid: string, itemIds: readonly string[], tx: Tx): Promise<string[]> {
    const needed = await this.links.requiredBy(oid, itemIds, tx);
    const kept = (await this.kept.findByIds(oid, itemIds, tx)).flatMap(({ requiresCrawls }) => requiresCrawls);
    return [...new Set([...itemIds, ...needed, ...kept])];
  }
}
