import { createHash } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { isDatabaseAway } from '../common/errors/database-away.js';
import type { Org } from '../orgs/data/org.schema.js';
import { OrgsReads } from '../orgs/data/orgs.reads.js';
import type { ObjectStore } from '../storage/object-store.js';
import { type StorageRef, storageRefToString } from '../storage/storage-ref.js';
import { ObjectNotFound, StorageError } from '../storage/storage.errors.js';
import { Storages } from '../storage/storages.js';
import { CopyDiffers, copyObject } from './copy-object.js';
import { FIXITY_KINDS, type FixityKind, type RecordedFile } from './data/file-owner.js';
import { FileOwners } from './data/file-owners.js';
import { FileRemover } from './file-remover.js';
import { FIXITY_RESULTS, type FixityResult } from './data/fixity-mark.facts.js';

const BATCH = 100;

/** One copy of a file that is not intact, or was not before it was repaired. */
export interface UnwellCopy {
  readonly filename: string;
  readonly storage: string;
  readonly result: FixityResult;
}

/** A document with the files that it records. */
export interface FixityRecord {
  readonly kind: FixityKind;
  readonly oid: string;
  readonly id: string;
  readonly files: readonly RecordedFile[];
}

export interface VerifiedRecord extends Pick<FixityRecord, 'kind' | 'oid' | 'id'> {
  readonly result: FixityResult;
  /** Recorded bytes of all copies, originals included. */
  readonly size: number;
  readonly copies: readonly UnwellCopy[];
}

const placesOf = ({ storage, replicas }: RecordedFile): StorageRef[] => [storage, ...(replicas ?? [])];

/**
 * Reads every copy of recorded files, originals and replicas, and compares it with the record. A copy that is damaged
 * or missing is replaced from a good one where there is one.
 */
@Injectable()
export class Fixity {
  private readonly logger = new Logger('objects');

  constructor(
    private readonly owners: FileOwners,
    private readonly orgs: OrgsReads,
    private readonly storages: Storages,
    private readonly remover: FileRemover,
    private readonly clock: Clock,
  ) {}

  /**
   * Verifies the files of one org, or of all, that were not verified since `before`. Those verified longest ago come
   * first. A call after an interruption continues where the last one stopped.
   * @param oid the org, or null for all orgs
   */
  async *verifySince(oid: string | null, before: Date, signal?: AbortSignal): AsyncGenerator<VerifiedRecord> {
    for (const kind of FIXITY_KINDS) yield* this.verifyKind(kind, oid, before, signal);
  }

  private async *verifyKind(
    kind: FixityKind,
    oid: string | null,
    before: Date,
    signal?: AbortSignal,
  ): AsyncGenerator<VerifiedRecord> {
    let last = new Set<string>();
    for (;;) {
      const due = await this.owners.of(kind).findDue(oid, before, BATCH);
      // If the clock was set back, the same records would be due for ever.
      const fresh = due.filter(({ id }) => !last.has(id));
      if (fresh.length === 0) return;
      last = new Set(fresh.map(({ id }) => id));
      for (const record of fresh) {
        signal?.throwIfAborted();
        yield await this.verifyOrMark({ kind, ...record }, signal);
      }
    }
  }

  /** Verifies one record. A record that cannot be read counts as unreachable and does not stop the others. */
  private async verifyOrMark(
    record: Pick<FixityRecord, 'kind' | 'oid' | 'id'>,
    signal?: AbortSignal,
  ): Promise<VerifiedRecord> {
    const { kind, oid, id } = record;
    try {
      return await this.verify({ ...record, files: await this.filesNow(record) }, signal);
    } catch (error) {
      if (signal?.aborted || isDatabaseAway(error)) throw error;
      this.logger.error({ event: 'record_not_verified', kind, oid, id, err: error });
      await this.owners.of(kind).setFixity(oid, id, { lastVerified: this.clock.timestamp(), result: 'unreachable' });
      return { kind, oid, id, result: 'unreachable', size: 0, copies: [] };
    }
  }

  /** @throws the signal's reason. A storage that fails is a result, not an error. */
  async verify(record: FixityRecord, signal?: AbortSignal): Promise<VerifiedRecord> {
    const { kind, oid, id } = record;
    const org = await this.orgs.findById(oid);
    const copies: UnwellCopy[] = [];
    for (const file of record.files) copies.push(...(await this.verifyFile(org, record, file, signal)));
    const worst = Math.max(0, ...copies.map(({ result }) => FIXITY_RESULTS.indexOf(result)));
    const result = FIXITY_RESULTS[worst] ?? 'ok';
    await this.owners.of(kind).setFixity(oid, id, { lastVerified: this.clock.timestamp(), result });
    const size = record.files.reduce((sum, file) => sum + file.size * placesOf(file).length, 0);
    return { kind, oid, id, result, size, copies };
  }

  /** @returns the copies that are not intact, or were not before their repair */
  private async verifyFile(
    org: Org | null,
    record: FixityRecord,
    file: RecordedFile,
    signal?: AbortSignal,
  ): Promise<UnwellCopy[]> {
    const found: { ref: StorageRef; result: FixityResult }[] = [];
    for (const ref of placesOf(file))
      found.push({ ref, result: org ? await this.compare(org, ref, file, signal) : 'unreachable' });
    const unwell = found.filter(({ result }) => result !== 'ok');
    // A file may have been replaced or deleted while it was read.
    if (unwell.length === 0 || !(await this.isRecorded(record, file))) return [];
    const good = found.find(({ result }) => result === 'ok')?.ref;
    for (const copy of unwell) {
      if (!org || !good || !this.isRepairable(record.kind, file, copy)) continue;
      if (await this.repair(org, { record, file, from: good, to: copy.ref }, signal)) copy.result = 'repaired';
    }
    const { filename } = file;
    return unwell.map(({ ref, result }) => ({ filename, storage: storageRefToString(ref), result }));
  }

  private async filesNow({ kind, oid, id }: Pick<FixityRecord, 'kind' | 'oid' | 'id'>): Promise<RecordedFile[]> {
    return this.owners.filesOf(kind, oid, id);
  }

  private async isRecorded(record: FixityRecord, { filename, hash }: RecordedFile): Promise<boolean> {
    const now = await this.filesNow(record);
    return now.some((file) => file.filename === filename && file.hash === hash);
  }

  /** An overwritten original that differs may be newer than its record, so it is not repaired. */
  private isRepairable(kind: FixityKind, { storage }: RecordedFile, copy: { ref: StorageRef; result: FixityResult }) {
    if (copy.result === 'missing') return true;
    return copy.result === 'damaged' && !(this.owners.of(kind).fields.isWrittenOver && copy.ref === storage);
  }

  /** @returns false when a storage fails, or the copy differs from the record */
  private async repair(org: Org, copy: Copy, signal?: AbortSignal): Promise<boolean> {
    const { record, file, from, to } = copy;
    try {
      await copyObject(this.storages.resolve(org, from), this.storages.resolve(org, to), file, signal);
      return true;
    } catch (error) {
      if (error instanceof StorageError || error instanceof CopyDiffers) return false;
      throw error;
    } finally {
      const now = await this.filesNow(record);
      // The file was deleted while it was copied. Nobody else would delete the copy.
      if (!now.some(({ filename }) => filename === file.filename))
        await this.remover.deleteStray(record.oid, { filename: file.filename, storage: to });
    }
  }

  private async compare(org: Org, ref: StorageRef, file: RecordedFile, signal?: AbortSignal): Promise<FixityResult> {
    if (!this.storages.isKnown(org, ref)) return 'unreachable';
    try {
      const { size, sha256 } = await digestOf(this.storages.resolve(org, ref), file.filename, signal);
      return size === file.size && (file.hash === '' || sha256 === file.hash) ? 'ok' : 'damaged';
    } catch (error) {
      if (error instanceof ObjectNotFound) return 'missing';
      if (error instanceof StorageError) return 'unreachable';
      throw error;
    }
  }
}

interface Copy {
  readonly record: FixityRecord;
  readonly file: RecordedFile;
  readonly from: StorageRef;
  readonly to: StorageRef;
}

async function digestOf(store: ObjectStore, key: string, signal?: AbortSignal) {
  const hash = createHash('sha256');
  let size = 0;
  for await (const chunk of (await store.get(key, { signal })).body as AsyncIterable<Buffer>) {
    hash.update(chunk);
    size += chunk.length;
  }
  return { size, sha256: hash.digest('hex') };
}
