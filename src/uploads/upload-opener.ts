import { Injectable } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';
import type { Item } from '../items/data/item.schema.js';
import type { StoredFile } from '../objects/data/stored-file.schema.js';
import type { JobContext } from '../jobs/job-handlers.js';
import type { Org } from '../orgs/data/org.schema.js';
import { OrgsRepository } from '../orgs/data/orgs.repository.js';
import { Storages } from '../storage/storages.js';
import { ObjectByteSource } from '../wacz/object-byte-source.js';
import { findChildWaczs } from '../wacz/wacz.js';
import { sniffWarc } from '../wacz/warc/sniff.js';
import { ZipArchive } from '../../formats/zip/zip-archive.js';
import { MultiWaczSplitter } from './multi-wacz-splitter.js';
import { PieceAssembler } from './piece-assembler.js';
import { WarcPackager } from './warc-packager.js';

/** Makes plain WACZs from uploads in other forms. Contract: archive.md §4.2, 1 and 2. */
@Injectable()
export class UploadOpener {
  constructor(
    private readonly orgs: OrgsRepository,
    private readonly storages: Storages,
    private readonly assembler: PieceAssembler,
    private readonly splitter: MultiWaczSplitter,
    private readonly packager: WarcPackager,
    private readonly config: AppConfig,
  ) {}

  /**
   * Replaces packages of WACZs by their content and WARC files by WACZs, a bounded number at a time.
   * @throws UnreadableWacz for a file that is neither ZIP nor WARC; ChildTooLarge; StorageError
   */
  async open(item: Item, { signal }: JobContext): Promise<void> {
    const org = await this.orgOf(item);
    const whole = await this.assembler.assemble(org, item, signal);
    const queue = [...whole.files];
    const work = async (): Promise<void> => {
      for (let file = queue.shift(); file; file = queue.shift()) {
        signal.throwIfAborted();
        await this.openIfPackage(org, whole, file, signal);
      }
    };
    await Promise.all(Array.from({ length: this.config.uploads.maxConcurrentSplits }, work));
  }

  private async openIfPackage(org: Org, item: Item, file: StoredFile, signal: AbortSignal): Promise<void> {
    const source = await ObjectByteSource.open(this.storages.resolve(org, file.storage), file.filename);
    const warc = await sniffWarc(source);
    if (warc) return this.packager.pack({ org, item, file }, { ...warc, source }, signal);
    const archive = await ZipArchive.open(source);
    const children = await findChildWaczs(archive);
    if (children.length > 0) await this.splitter.split({ org, item, file }, archive, children, signal);
  }

  private async orgOf(item: Item): Promise<Org> {
    const org = await this.orgs.findById(item.oid);
    if (!org) throw new Error(`no org ${item.oid}`);
    return org;
  }
}
