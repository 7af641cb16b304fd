import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { isDatabaseAway } from '../common/errors/database-away.js';
import { seconds } from '../common/units/durations.js';
import { LeasedWorker, type ClaimedWork } from '../database/leased-worker.js';
import type { Held } from '../database/leases.js';
import type { DomainEvent } from '../events/event-types.js';
import { OnFact } from '../events/on-fact.js';
import { ItemsRepository } from '../items/data/items.repository.js';
import type { StoredFile } from '../objects/data/stored-file.schema.js';
import { OrgsReads } from '../orgs/data/orgs.reads.js';
import { TimeStamps } from '../signing/time-stamps.js';
import { WaczSigner } from '../signing/wacz-signer.js';
import { Storages } from '../storage/storages.js';
import { openArchive } from '../wacz/object-byte-source.js';
import { packageSignature } from '../wacz/package-signature.js';
import type { FileSeal } from './data/file-seal.schema.js';
import { FileSealsRepository } from './data/file-seals.repository.js';

/** Most of the time is spent waiting for a store or an authority. */
const MAX_AT_ONCE = 4;

/**
 * Signs the files that crawls packed while nobody could sign, and has signatures time-stamped. Both are tried until
 * they are done; what is made is kept beside the file, whose hash must not change any more.
 */
@Injectable()
export class FileSealing extends LeasedWorker<Held<FileSeal>> {
  constructor(
    private readonly seals: FileSealsRepository,
    private readonly items: ItemsRepository,
    private readonly orgs: OrgsReads,
    private readonly storages: Storages,
    private readonly signer: WaczSigner,
    private readonly timeStamps: TimeStamps,
  ) {
    super(seals.leases, new Logger('custody'));
  }

  /** Uploads and the parts of combined ones keep the signatures that they came with. */
  @OnFact('crawl.finished', 'custody.seal')
  async crawlFinished({ payload: { oid, crawlId } }: DomainEvent<'crawl.finished'>): Promise<void> {
    if (!this.signer.isOn && !this.timeStamps.isOn) return;
    const item = await this.items.findById(oid, crawlId, 'crawl');
    if (!item) return;
    await this.seals.want(
      oid,
      crawlId,
      item.files.map(({ filename }) => filename),
    );
    this.wake();
  }

  @Interval(seconds(10))
  override look(): Promise<number> {
    return super.look();
  }

  protected async claim(): Promise<ClaimedWork<Held<FileSeal>>> {
    const held = this.underWay.length < MAX_AT_ONCE ? await this.seals.claimNext() : null;
    return { held: held ? [held] : [], more: held !== null };
  }

  protected async work(held: Held<FileSeal>): Promise<void> {
    try {
      await this.seal(held);
    } catch (error) {
      if (isDatabaseAway(error) || this.stopping.aborted) throw error;
      const { oid, itemId, filename, attempts } = held.record;
      const problem = error instanceof Error ? error.message : String(error);
      this.logger.warn({ event: 'file_not_sealed', oid, itemId, filename, attempts, problem });
      await this.seals.retry(held.lease, attempts, problem);
    }
  }

  /** @throws SignerAway, NoTimeStamp, StorageError, or the transport's error */
  private async seal({ record, lease }: Held<FileSeal>): Promise<void> {
    const file = await this.fileOf(record);
    if (!file || file.hash === '') return this.seals.drop(lease);
    const inPackage = record.signedData ? null : await this.signatureInside(record, file);
    const signedData = record.signedData ?? (inPackage === null ? await this.signLate(record.oid, file) : null);
    if (signedData && !record.signedData && !(await this.seals.keep(lease, { signedData }))) return;
    const text = signedData?.signature ?? inPackage;
    if (text && this.timeStamps.isOn && !record.timeStamp) {
      const token = await this.timeStamps.stamp(text, this.stopping);
      const timeStamp = { token: token.toString('base64'), ...(await this.timeStamps.verified(token, text)) };
      await this.seals.keep(lease, { timeStamp });
      return this.seals.finish(lease);
    }
    return signedData ? this.seals.finish(lease) : this.seals.drop(lease);
  }

  private async fileOf({ oid, itemId, filename }: FileSeal): Promise<StoredFile | null> {
    const item = await this.items.findById(oid, itemId);
    return item?.files.find((file) => file.filename === filename) ?? null;
  }

  /** The signature that the package holds itself, or null. */
  private async signatureInside({ oid }: FileSeal, file: StoredFile): Promise<string | null> {
    const org = await this.orgs.findById(oid);
    if (!org) return null;
    return (await packageSignature(await openArchive(this.storages.resolve(org, file.storage), file.filename)))
      .signature;
  }

  private async signLate(oid: string, { hash }: StoredFile): Promise<FileSeal['signedData']> {
    return this.signer.isOn ? this.signer.sign(`sha256:${hash}`, undefined, oid) : null;
  }
}
