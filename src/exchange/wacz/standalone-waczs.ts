import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import type { WaczFacts } from '../../../formats/wacz/wacz-writer.js';
import { ZipArchive } from '../../../formats/zip/zip-archive.js';
import { CollectionFiles } from '../../collections/collection-files.js';
import { CollectionsQueries } from '../../collections/data/collections.queries.js';
import { CollectionsReads } from '../../collections/data/collections.reads.js';
import { Clock } from '../../common/clock/clock.js';
import { SOFTWARE } from '../../common/product.js';
import { showsFiles } from '../../items/data/item-state.facts.js';
import type { FilesOfItem, NamedDownload } from '../../items/item-downloads.js';
import { ItemReader } from '../../items/item-reader.js';
import { NoCrawlResources } from '../../items/items.errors.js';
import { CollectionNotFound } from '../../items/membership/membership.errors.js';
import { RequiredItems } from '../../items/required-items.js';
import type { Org } from '../../orgs/data/org.schema.js';
import { Storages } from '../../storage/storages.js';
import type { Download } from '../../wacz/combined-download.js';
import { ObjectByteSource } from '../../wacz/object-byte-source.js';
import { standaloneWacz, type StandaloneSource } from '../../wacz/standalone-wacz.js';
import { archiveFault } from '../archive-faults.js';

/** Makes one WACZ of an item or a collection and of everything that it refers to. */
@Injectable()
export class StandaloneWaczs {
  constructor(
    private readonly items: ItemReader,
    private readonly required: RequiredItems,
    private readonly collections: CollectionsReads,
    private readonly members: CollectionsQueries,
    private readonly collectionFiles: CollectionFiles,
    private readonly storages: Storages,
    private readonly clock: Clock,
  ) {}

  /** @throws ItemNotFound, NoCrawlResources, UnreadableArchive, ArchiveUnavailable */
  async ofItem(org: Org, itemId: string): Promise<NamedDownload> {
    const item = await this.items.get(org._id, itemId);
    if (!showsFiles(item.state) || item.files.length === 0) throw new NoCrawlResources();
    const needed = await this.required.find(org._id, item.requiresCrawls ?? []);
    const sources = [
      ...this.sourcesOf(org, [{ itemId, files: item.files }], true),
      ...this.sourcesOf(org, needed, false),
    ];
    return this.named(sources, itemId, item.name ?? '');
  }

  /** @throws CollectionNotFound, NoCrawlResources, UnreadableArchive, ArchiveUnavailable */
  async ofCollection(org: Org, collectionId: string): Promise<NamedDownload> {
    const collection = await this.collections.find(org._id, collectionId);
    if (!collection) throw new CollectionNotFound();
    const members = await this.members.members(org._id, collectionId);
    const files = await this.collectionFiles.of(org._id, members);
    const sources = files.flatMap((one) => this.sourcesOf(org, [one], !one.fromDependency));
    if (sources.length === 0) throw new NoCrawlResources();
    return this.named(sources, collection.name, collection.name);
  }

  private sourcesOf(org: Org, items: readonly FilesOfItem[], isShown: boolean): StandaloneSource[] {
    return items.flatMap(({ itemId, files }) =>
      files.map(({ filename, storage, size }) => ({
        itemId,
        isShown,
        open: () => new ObjectByteSource(this.storages.resolve(org, storage), filename, size),
      })),
    );
  }

  private async named(sources: readonly StandaloneSource[], name: string, title: string): Promise<NamedDownload> {
    await readable(sources);
    const facts = { created: this.clock.now().toISOString(), software: SOFTWARE, ...(title ? { title } : {}) };
    return { download: new StandaloneDownload(sources, facts), filename: `${name}-standalone.wacz` };
  }
}

/** Reads the end of the first file: what is not there or no WACZ is told before anything is sent. */
async function readable([first]: readonly StandaloneSource[]): Promise<void> {
  try {
    if (first) await ZipArchive.open(first.open());
  } catch (error) {
    throw archiveFault(error);
  }
}

/** Made while it is sent, so its length is not known before and no part of it can be asked for. */
class StandaloneDownload implements Download {
  readonly size = null;
  readonly etag = '';
  readonly isResumable = false;

  constructor(
    private readonly sources: readonly StandaloneSource[],
    private readonly facts: WaczFacts,
  ) {}

  check(): Promise<void> {
    return Promise.resolve();
  }

  stream(signal?: AbortSignal): Readable {
    const bytes = standaloneWacz(this.sources, this.facts, signal);
    return Readable.from(bytes, { objectMode: false, highWaterMark: 1024 * 1024 });
  }
}
