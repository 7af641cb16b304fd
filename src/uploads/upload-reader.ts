import { Injectable, Logger } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';
import type { Item } from '../items/data/item.schema.js';
import type { StoredFile } from '../items/data/stored-file.schema.js';
import { ItemsRepository } from '../items/data/items.repository.js';
import type { JobContext } from '../jobs/job-handlers.js';
import type { Org } from '../orgs/data/org.schema.js';
import { OrgsRepository } from '../orgs/data/orgs.repository.js';
import { PagesRepository, type PageCounts } from '../pages/data/pages.repository.js';
import { PageExtractor } from '../pages/page-extractor.js';
import { Storages } from '../storage/storages.js';
import { findChildWaczs } from '../wacz/wacz.js';
import { UnreadableWacz } from '../wacz/wacz.errors.js';
import { ZipArchive } from '../wacz/zip-archive.js';
import { MultiWaczSplitter } from './multi-wacz-splitter.js';

/** Looks into uploaded files: WACZs inside them, and their pages. Contract: archive.md §4.2, 1 to 3. */
@Injectable()
export class UploadReader {
  private readonly logger = new Logger('uploads');

  constructor(
    private readonly items: ItemsRepository,
    private readonly orgs: OrgsRepository,
    private readonly storages: Storages,
    private readonly splitter: MultiWaczSplitter,
    private readonly extractor: PageExtractor,
    private readonly pages: PagesRepository,
    private readonly config: AppConfig,
  ) {}

  /**
   * Replaces packages of several WACZs by their content, a bounded number at a time.
   * @throws UnreadableWacz for a file that is no ZIP; ChildTooLarge; StorageError
   */
  async splitPackages(item: Item, { signal }: JobContext): Promise<void> {
    const org = await this.orgOf(item);
    const queue = [...item.files];
    const work = async (): Promise<void> => {
      for (let file = queue.shift(); file; file = queue.shift()) {
        signal.throwIfAborted();
        await this.splitIfPackage(org, item, file, signal);
      }
    };
    await Promise.all(Array.from({ length: this.config.uploads.maxConcurrentSplits }, work));
  }

  /**
   * Reads the pages anew. A file whose lists are damaged is left out: the item can still be replayed.
   * @throws StorageError
   */
  async readPages(item: Item, { signal, log }: JobContext): Promise<PageCounts> {
    const { oid, _id: itemId } = item;
    const org = await this.orgOf(item);
    const files = (await this.items.findById(oid, itemId))?.files ?? [];
    await this.pages.deleteOf(oid, [itemId]);
    for (const { filename, storage } of files) {
      try {
        const source = { oid, itemId, keepsIds: false };
        await this.extractor.extract(source, this.storages.resolve(org, storage), filename, signal);
      } catch (error) {
        if (!(error instanceof UnreadableWacz)) throw error;
        this.logger.warn({ event: 'pages_not_read', oid, itemId, file: filename, reason: error.reason });
        await log(`pages of ${filename} could not be read: ${error.message}`);
      }
    }
    return this.pages.countsOf(oid, itemId);
  }

  private async splitIfPackage(org: Org, item: Item, file: StoredFile, signal: AbortSignal): Promise<void> {
    const archive = await ZipArchive.openObject(this.storages.resolve(org, file.storage), file.filename);
    const children = await findChildWaczs(archive);
    if (children.length > 0) await this.splitter.split({ org, item, file }, archive, children, signal);
  }

  private async orgOf(item: Item): Promise<Org> {
    const org = await this.orgs.findById(item.oid);
    if (!org) throw new Error(`no org ${item.oid}`);
    return org;
  }
}
