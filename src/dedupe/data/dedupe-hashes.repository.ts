import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import { mongo, type Model } from 'mongoose';
import { canonicalUuid } from '../../common/ids/uuid.js';
import { isDuplicateKey } from '../../database/org-scoped.js';
import { DedupeHash } from './dedupe-hash.schema.js';

const { Binary, ObjectId } = mongo;

/** Bytes of a digest that an entry is found by. Half a SHA-256 is as good as a random id. */
export const DIGEST_BYTES = 16;
/** Ranges in which the entries of a collection are deleted, so that no command takes long. */
const RANGES = 256;
/** Entries that a stream has in memory. */
const STREAMED = 1_000;

/** A capture as an entry says it. */
export interface IndexedCapture {
  /** The digest, whole where it is imported; what is found has the first 16 bytes. */
  readonly digest: Buffer;
  readonly url: string;
  readonly date: Date;
  /** Bytes of the record. */
  readonly size: number;
}

export interface IndexEntry extends IndexedCapture {
  readonly sourceId: string;
}

/** The entries of dedupe indexes. Tenancy is with the sources, which every entry names. */
@Injectable()
export class DedupeHashesRepository {
  constructor(@InjectModel(DedupeHash.name) private readonly model: Model<DedupeHash>) {}

  /** The entries of these digests, in no particular order. */
  async find(collectionId: string, digests: readonly Buffer[]): Promise<IndexEntry[]> {
    if (digests.length === 0) return [];
    const ids = digests.map((digest) => keyOf(collectionId, digest));
    const found = await this.entries.find({ _id: { $in: ids } }, { batchSize: ids.length + 1 }).toArray();
    return found.map(entryOf);
  }

  /** Streams the entries of some sources that have whole digests, in the order of their digests. */
  async *whole(collectionId: string, sourceIds: readonly string[]): AsyncGenerator<IndexEntry> {
    const w = { $in: sourceIds.map((id) => new ObjectId(id)) };
    const _id = { $gte: rangeEnd(collectionId, 0x00, 0x00), $lte: rangeEnd(collectionId, 0xff, 0xff) };
    for await (const entry of this.entries.find({ _id, w, r: { $exists: true } }, { batchSize: STREAMED }))
      yield { ...entryOf(entry), digest: Buffer.concat([digestOf(entry), entry.r!.buffer]) };
  }

  /**
   * Inserts entries. Those whose digest has an entry already are left out, and the others are inserted.
   * @returns whether all were inserted
   */
  async insert(collectionId: string, sourceId: string, captures: readonly IndexedCapture[]): Promise<boolean> {
    if (captures.length === 0) return true;
    const docs = captures.map((capture) => stored(collectionId, sourceId, capture));
    try {
      await this.entries.insertMany(docs, { ordered: false });
      return true;
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      return false;
    }
  }

  /** Gives entries of sources that are not live to another source. An entry that changed meanwhile stays as it is. */
  async takeOver(
    collectionId: string,
    sourceId: string,
    taken: readonly { readonly capture: IndexedCapture; readonly from: string }[],
  ): Promise<void> {
    if (taken.length === 0) return;
    await this.entries.bulkWrite(
      taken.map(({ capture, from }) => {
        const { _id, ...rest } = stored(collectionId, sourceId, capture);
        return { updateOne: { filter: { _id, w: new ObjectId(from) }, update: { $set: rest } } };
      }),
      { ordered: false },
    );
  }

  /** Deletes the entries of these sources, range by range. */
  async deleteOf(collectionId: string, sourceIds: readonly string[], signal?: AbortSignal): Promise<void> {
    const of = sourceIds.map((id) => new ObjectId(id));
    await this.deleteRanges(collectionId, { w: { $in: of } }, signal);
  }

  /** Deletes all entries of a collection. */
  async deleteAll(collectionId: string): Promise<void> {
    await this.deleteRanges(collectionId, {});
  }

  private async deleteRanges(collectionId: string, where: object, signal?: AbortSignal): Promise<void> {
    for (let first = 0; first < RANGES; first++) {
      signal?.throwIfAborted();
      const _id = { $gte: rangeEnd(collectionId, first, 0x00), $lte: rangeEnd(collectionId, first, 0xff) };
      await this.entries.deleteMany({ _id, ...where });
    }
  }

  /** The driver's own collection: casting by the schema would cost more than the writes. */
  private get entries(): mongo.Collection<DedupeHash> {
    return this.model.collection as unknown as mongo.Collection<DedupeHash>;
  }
}

function keyOf(collectionId: string, digest: Buffer): mongo.Binary {
  return new Binary(Buffer.concat([bytesOf(collectionId), digest.subarray(0, DIGEST_BYTES)]));
}

function rangeEnd(collectionId: string, first: number, rest: number): mongo.Binary {
  const digest = Buffer.alloc(DIGEST_BYTES, rest);
  digest[0] = first;
  return keyOf(collectionId, digest);
}

const digestOf = ({ _id }: DedupeHash): Buffer => Buffer.from(_id.buffer.subarray(16, 16 + DIGEST_BYTES));

function entryOf(entry: DedupeHash): IndexEntry {
  const { w, d, u, s } = entry;
  return { digest: digestOf(entry), sourceId: w.toHexString(), date: d, url: u, size: s };
}

function bytesOf(collectionId: string): Buffer {
  const canonical = canonicalUuid(collectionId);
  if (canonical === null) throw new TypeError(`not a UUID: ${collectionId}`);
  return Buffer.from(canonical.replaceAll('-', ''), 'hex');
}

function stored(collectionId: string, sourceId: string, { digest, url, date, size }: IndexedCapture): DedupeHash {
  const entry = { _id: keyOf(collectionId, digest), w: new ObjectId(sourceId), d: date, u: url, s: size };
  return digest.length > DIGEST_BYTES ? { ...entry, r: new Binary(digest.subarray(DIGEST_BYTES)) } : entry;
}
