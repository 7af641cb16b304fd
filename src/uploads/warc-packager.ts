import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { baseName } from '../common/text/base-name.js';
import { Clock } from '../common/clock/clock.js';
import { SOFTWARE } from '../common/product.js';
import { FileStaging, type StagedFile } from '../objects/file-staging.js';
import { fileNames } from '../storage/file-names.js';
import { ObjectTooLarge } from '../storage/storage.errors.js';
import type { ByteSource } from '../../formats/zip/byte-source.js';
import { packageWarc, type WarcSource } from '../wacz/warc/package-warc.js';
import { NotPackedPerRecord } from '../wacz/warc/warc-scanner.js';
import { FileReplacement, type ReplacedFile } from './file-replacement.js';

/** The WACZ made from a WARC does not fit into the org's quota. */
export class PackageTooLarge extends Error {
  constructor(name: string, itemId: string) {
    super(`the WACZ made of '${name}' of item id ${itemId} exceeds the storage quota`);
  }
}

const WARC_NAME = /(?:\.warc)?(?:\.gz)?$/i;

/** Replaces an uploaded WARC file by a WACZ with its index and list of pages. */
@Injectable()
export class WarcPackager {
  constructor(
    private readonly staging: FileStaging,
    private readonly replacement: FileReplacement,
    private readonly clock: Clock,
  ) {}

  /** @throws UnreadableWacz for a damaged file, PackageTooLarge, StorageError; then the item keeps its file */
  async pack(old: ReplacedFile, warc: { isGzip: boolean; source: ByteSource }, signal: AbortSignal): Promise<void> {
    const { size } = warc.source;
    const source: WarcSource = {
      name: memberName(shownName(old), warc.isGzip),
      isGzip: warc.isGzip,
      packedBytes: size,
      open: () => warc.source.stream(0, size, signal),
    };
    const staged = await this.store(old, source, signal);
    await this.replacement.replace({ ...old, files: [old.file] }, [staged], 'same');
  }

  private async store(old: ReplacedFile, source: WarcSource, signal: AbortSignal): Promise<StagedFile> {
    try {
      return await this.storePackage(old, source, signal);
    } catch (error) {
      if (!(error instanceof NotPackedPerRecord)) throw error;
      return this.storePackage(old, { ...source, anyMembers: true }, signal);
    }
  }

  private async storePackage(old: ReplacedFile, source: WarcSource, signal: AbortSignal): Promise<StagedFile> {
    const { org, item, file } = old;
    const facts = {
      created: this.clock.timestamp().toISOString(),
      software: SOFTWARE,
      title: item.name || shownName(old),
    };
    const originalName = `${shownName(old).replace(WARC_NAME, '')}.wacz`;
    const filename = fileNames.splitWacz(item._id, { oid: org._id, storage: file.storage, originalName });
    const body = Readable.from(packageWarc(source, facts), { objectMode: false });
    try {
      const options = { sizeHint: source.packedBytes, maxBytes: this.mostBytes(old), signal };
      const staged = await this.staging.put(org, { filename, storage: file.storage }, body, options);
      return Object.assign(staged, { file: { ...staged.file, originalFilename: shownName(old) } });
    } catch (error) {
      if (error instanceof ObjectTooLarge) throw new PackageTooLarge(shownName(old), item._id);
      throw error;
    } finally {
      body.destroy();
    }
  }

  /** The WARC itself does not count: it is deleted once the WACZ exists. */
  private mostBytes({ org, file }: ReplacedFile): number | undefined {
    const quota = org.quotas?.storageQuota ?? 0;
    return quota > 0 ? Math.max(quota - (org.bytesStored ?? 0), 0) + file.size : undefined;
  }
}

function shownName({ file }: ReplacedFile): string {
  return file.originalFilename || baseName(file.filename);
}

/** Keeps plain characters only, because the name goes into the archive and its index. */
function memberName(original: string, isGzip: boolean): string {
  const base = original.replace(WARC_NAME, '').replace(/[^\w.@-]+/g, '-');
  return `${base.replace(/^[-.]+/, '').slice(0, 150) || 'data'}.warc${isGzip ? '.gz' : ''}`;
}
