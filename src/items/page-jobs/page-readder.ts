import { Injectable, Logger } from '@nestjs/common';
import { baseName } from '../../common/text/base-name.js';
import { PageReAddsRepository } from '../../pages/data/page-readds.repository.js';
import { PagesRepository } from '../../pages/data/pages.repository.js';
import { PageExtractor } from '../../pages/page-extractor.js';
import { OrgsRepository } from '../../orgs/data/orgs.repository.js';
import type { Org } from '../../orgs/data/org.schema.js';
import { StorageError } from '../../storage/storage.errors.js';
import { Storages } from '../../storage/storages.js';
import { UnreadableWacz } from '../../../formats/unreadable-wacz.js';
import { ItemsRepository } from '../data/items.repository.js';
import type { Item } from '../data/item.schema.js';
import { GoneItems } from '../deletion/gone-items.js';

/** Reads the pages of an item again from its WACZ files. Contract: archive §6, crawling §7.4. */
@Injectable()
export class PageReAdder {
  private readonly logger = new Logger('items');

  constructor(
    private readonly readds: PageReAddsRepository,
    private readonly pages: PagesRepository,
    private readonly extractor: PageExtractor,
    private readonly items: ItemsRepository,
    private readonly orgs: OrgsRepository,
    private readonly storages: Storages,
    private readonly gone: GoneItems,
  ) {}

  /**
   * Reads an item's files. Reviews, notes and QA values are kept for pages whose ids the files name. A file that cannot
   * be read keeps its pages. After a crash the call may be repeated with the same mark.
   */
  async readAgain(item: Item, mark: string, signal?: AbortSignal): Promise<void> {
    const org = await this.orgs.findById(item.oid);
    if (!org) return;
    try {
      await this.readFiles(org, item, mark, signal);
    } finally {
      await this.gone.forgetPages(item.oid, item._id);
    }
  }

  private async readFiles(org: Org, item: Item, mark: string, signal?: AbortSignal): Promise<void> {
    const readd = { oid: item.oid, crawlId: item._id, mark };
    await this.readds.begin(readd);
    const unread: string[] = [];
    for (const file of item.files ?? []) {
      try {
        await this.readFile(org, item, { file, mark }, signal);
      } catch (error) {
        if (!(error instanceof UnreadableWacz) && !(error instanceof StorageError)) throw error;
        unread.push(baseName(file.filename));
        this.logger.warn({ event: 'wacz_not_read', oid: item.oid, itemId: item._id, file: file.filename, err: error });
      }
    }
    await this.readds.end(readd, unread);
    await this.items.set(item.oid, item._id, await this.pages.countsOf(item.oid, item._id));
  }

  private async readFile(
    org: Org,
    item: Item,
    { file, mark }: { file: Item['files'][number]; mark: string },
    signal?: AbortSignal,
  ): Promise<void> {
    const source = { oid: item.oid, itemId: item._id, keepsIds: item.type !== 'upload' };
    const from = { store: this.storages.resolve(org, file.storage), key: file.filename };
    for await (const batch of this.extractor.batches(source, from, signal))
      await this.readds.write({ oid: item.oid, crawlId: item._id, mark }, batch);
  }
}
