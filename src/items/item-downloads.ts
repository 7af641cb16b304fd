import { Injectable } from '@nestjs/common';
import { baseName } from '../common/text/base-name.js';
import { SOFTWARE } from '../common/product.js';
import type { Org } from '../orgs/data/org.schema.js';
import { Storages } from '../storage/storages.js';
import { CombinedDownload, SingleDownload, type CombinedMember, type Download } from '../wacz/combined-download.js';
import { uniqueNames } from '../wacz/unique-names.js';
import { showsFiles } from './data/item-state.facts.js';
import type { Item } from './data/item.schema.js';
import type { StoredFile } from '../objects/data/stored-file.schema.js';
import { NoCrawlResources } from './items.errors.js';
import { RequiredItems } from './required-items.js';

/** A download with its file name, for `sendDownload`. */
export interface NamedDownload {
  readonly download: Download;
  readonly filename: string;
  /** That of a WACZ unless given. */
  readonly mediaType?: string;
}

export interface FilesOfItem {
  readonly itemId: string;
  readonly files: readonly StoredFile[];
}

/** Builds the files that people download. Contract: archive §3, crawling §5.9. */
@Injectable()
export class ItemDownloads {
  constructor(
    private readonly required: RequiredItems,
    private readonly storages: Storages,
  ) {}

  /**
   * Builds the download of one item.
   * @throws NoCrawlResources for an item that has no files or is in no state to show them
   */
  async ofItem(
    org: Org,
    item: Item,
    options: { preferSingleWACZ?: boolean; withDependencies?: boolean } = {},
  ): Promise<NamedDownload> {
    if (!showsFiles(item.state) || item.files.length === 0) throw new NoCrawlResources();
    const needed = options.withDependencies ? (item.requiresCrawls ?? []) : [];
    const required = await this.required.find(item.oid, needed);
    const sources = [{ itemId: item._id, files: item.files }, ...required];
    const members = this.membersOf(org, sources);
    const [only] = members;
    if (options.preferSingleWACZ && only && members.length === 1)
      return { download: new SingleDownload(only), filename: only.name };
    const metadata = {
      type: item.type ?? 'crawl',
      id: item._id,
      organization: org.slug,
      ...(item.name ? { title: item.name } : {}),
      ...(item.description ? { description: item.description } : {}),
    };
    return {
      download: new CombinedDownload(members, SOFTWARE, metadata),
      filename: `${item._id}${needed.length > 0 ? '-with-deps' : ''}.wacz`,
    };
  }

  /**
   * Combines the files of any number of items into one package. Without items the package holds only its description.
   */
  combined(org: Org, sources: readonly FilesOfItem[], metadata: Readonly<Record<string, string>>): Download {
    return new CombinedDownload(this.membersOf(org, sources), SOFTWARE, metadata);
  }

  private membersOf(org: Org, sources: readonly FilesOfItem[]): CombinedMember[] {
    const files = sources.flatMap(({ itemId, files }) => files.map((file) => ({ itemId, file })));
    const names = uniqueNames(files.map(({ itemId, file }) => ({ itemId, name: baseName(file.filename) })));
    return files.map(({ file }, index) => ({
      name: names[index] ?? baseName(file.filename),
      size: file.size,
      sha256: file.hash,
      crc32: (file as { crc32?: number | null }).crc32 ?? null,
      open: async (start, signal) => {
        const store = this.storages.resolve(org, file.storage);
        return (await store.get(file.filename, { range: { start }, signal })).body;
      },
    }));
  }
}
