import { Injectable, Logger } from '@nestjs/common';
import { baseName } from '../common/text/base-name.js';
import type { Item } from '../items/data/item.schema.js';
import { ItemsRepository } from '../items/data/items.repository.js';
import type { JobContext } from '../jobs/job-handlers.js';
import type { Org } from '../orgs/data/org.schema.js';
import { OrgsRepository } from '../orgs/data/orgs.repository.js';
import { PagesRepository, type PageCounts } from '../pages/data/pages.repository.js';
import { PageExtractor } from '../pages/page-extractor.js';
import { Storages } from '../storage/storages.js';
import { checkPackage } from '../wacz/package-check.js';
import { openArchive } from '../wacz/object-byte-source.js';
import { UnreadableWacz } from '../../formats/unreadable-wacz.js';

/** Validates uploaded WACZs and reads their pages. Contract: archive.md §4.2, 3. */
@Injectable()
export class UploadReader {
  private readonly logger = new Logger('uploads');

  constructor(
    private readonly items: ItemsRepository,
    private readonly orgs: OrgsRepository,
    private readonly storages: Storages,
    private readonly extractor: PageExtractor,
    private readonly pages: PagesRepository,
  ) {}

  /**
   * Keeps pages that an earlier try stored and removes those of replaced files. A file with damaged lists is skipped:
   * the item can still be replayed.
   * @throws StorageError
   */
  async readPages(item: Item, { signal, log }: JobContext): Promise<PageCounts> {
    const { oid, _id: itemId } = item;
    const org = await this.orgOf(item);
    const files = (await this.items.findById(oid, itemId))?.files ?? [];
    await this.pages.deleteOfOtherFiles(
      oid,
      itemId,
      files.map(({ filename }) => baseName(filename)),
    );
    for (const { filename, storage } of files) {
      try {
        const source = { oid, itemId, keepsIds: false };
        const store = this.storages.resolve(org, storage);
        const found = await checkPackage(await openArchive(store, filename), signal);
        await this.items.setVerification(oid, itemId, filename, found);
        await this.extractor.extract(source, store, filename, signal);
      } catch (error) {
        if (!(error instanceof UnreadableWacz)) throw error;
        this.logger.warn({ event: 'pages_not_read', oid, itemId, file: filename, reason: error.reason });
        await log(`pages of ${filename} could not be read: ${error.message}`);
      }
    }
    return this.pages.countsOf(oid, itemId);
  }

  private async orgOf(item: Item): Promise<Org> {
    const org = await this.orgs.findById(item.oid);
    if (!org) throw new Error(`no org ${item.oid}`);
    return org;
  }
}
