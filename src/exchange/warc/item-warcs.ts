import { Injectable } from '@nestjs/common';
import { isWarc } from '../../../formats/wacz/warc-members.js';
import { ZipArchive } from '../../../formats/zip/zip-archive.js';
import type { ZipEntry } from '../../../formats/zip/zip-directory.js';
import { baseName } from '../../common/text/base-name.js';
import type { NamedDownload } from '../../items/item-downloads.js';
import type { StoredFile } from '../../objects/data/stored-file.schema.js';
import type { Org } from '../../orgs/data/org.schema.js';
import { Storages } from '../../storage/storages.js';
import { ObjectByteSource } from '../../wacz/object-byte-source.js';
import { repacked } from '../../wacz/warc/package-warc.js';
import { archiveFault } from '../archive-faults.js';
import { ExchangedFiles } from '../exchanged-files.js';
import { WarcDownload, type WarcPart } from './warc-download.js';

const UNHEARD = { begin: () => undefined, block: () => undefined, end: () => undefined };

/** Makes one WARC file of an item's archives. */
@Injectable()
export class ItemWarcs {
  constructor(
    private readonly files: ExchangedFiles,
    private readonly storages: Storages,
  ) {}

  /** @throws ItemNotFound, NoCrawlResources, UnreadableArchive, ArchiveUnavailable */
  async of(org: Org, itemId: string, { withDependencies }: { withDependencies: boolean }): Promise<NamedDownload> {
    const { files } = await this.files.ofItem(org, itemId, withDependencies);
    const parts: WarcPart[] = [];
    for (const file of files) parts.push(...(await this.partsOf(org, file)));
    const identity = files.map(({ filename, hash }) => `${filename} ${hash}`);
    return {
      download: new WarcDownload(parts, identity),
      filename: `${itemId}${withDependencies ? '-with-deps' : ''}.warc.gz`,
      mediaType: 'application/warc+gzip',
    };
  }

  private async partsOf(org: Org, file: StoredFile): Promise<WarcPart[]> {
    try {
      const source = new ObjectByteSource(this.storages.resolve(org, file.storage), file.filename, file.size);
      const archive = await ZipArchive.open(source);
      const parts: WarcPart[] = [];
      for (const entry of await archive.find(isWarc))
        if (entry.size > 0) parts.push(await partOf(archive, source, { entry, file: baseName(file.filename) }));
      return parts;
    } catch (error) {
      throw archiveFault(error);
    }
  }
}

/** A stored `.warc.gz` is copied. All else is unpacked, and packed with a gzip member for each record. */
async function partOf(
  archive: ZipArchive,
  source: ObjectByteSource,
  { entry, file }: { entry: ZipEntry; file: string },
): Promise<WarcPart> {
  const name = `${file}/${entry.name}`;
  const isGzip = entry.name.toLowerCase().endsWith('.gz');
  const { start, size } = await archive.packed(entry);
  if (entry.method === 0 && isGzip)
    return { kind: 'copied', name, size, open: (from, signal) => source.stream(start + from, size - from, signal) };
  return {
    kind: 'made',
    name,
    make: (signal) => {
      const open = () => Promise.resolve(archive.read(entry, { signal }));
      return repacked({ name, isGzip, packedBytes: entry.size, anyMembers: true, open }, UNHEARD);
    },
  };
}
