import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';

import { type MemberReader, readMember } from './member-reader.js';
import {
  dataDescriptor,
  DESCRIPTOR_BYTES,
  directoryAndEnd,
  localHeader,
  type WrittenEntry,
} from '../../formats/zip/zip-records.js';

export interface CombinedMember {
  /** Name in the package, unique; see `uniqueNames`. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** Hex. */
  readonly sha256: string;
  /** CRC of the member. When all are known, the download can be resumed by range. */
  readonly crc32?: number | null;
  /** Reads bytes from `start` to the member's end. */
  readonly open: MemberReader;
}

/** The fields of `datapackage.json` besides its resources, in this order. Contract: archive.md §3. */
export type PackageMetadata = Readonly<Record<string, string>>;

/** A download: a combined package, one unchanged WACZ, or what another room makes of files. */
export interface Download {
  /** Exact length, bytes; null when it is known only at the end. */
  readonly size: number | null;
  /** Strong validator with quotes. */
  readonly etag: string;
  /** Whether `stream` takes a part. */
  readonly isResumable: boolean;
  /** Resolves when the bytes are available. @throws MemberUnavailable */
  check(signal?: AbortSignal): Promise<void>;
  /** The bytes from `start` to `end` (inclusive); everything by default. */
  stream(signal?: AbortSignal, start?: number, end?: number): Readable;
}

/** One WACZ with unchanged bytes. A read that fails midway is resumed. */
export class SingleDownload implements Download {
  readonly isResumable = true;
  readonly size: number;
  readonly etag: string;

  constructor(private readonly member: CombinedMember) {
    this.size = member.size;
    this.etag = `"${member.sha256}"`;
  }

  async check(signal?: AbortSignal): Promise<void> {
    for await (const _ of readMember(this.member, { from: 0, to: Math.min(1, this.size) }, signal)) return;
  }

  stream(signal?: AbortSignal, start = 0, end = this.size - 1): Readable {
    const bytes = readMember(this.member, { from: start, to: end + 1 }, signal);
    return Readable.from(bytes, { objectMode: false, highWaterMark: 1024 * 1024 });
  }
}

interface Segment {
  readonly length: number;
  emit(from: number, to: number, signal?: AbortSignal): AsyncIterable<Buffer>;
}

/**
 * A multi-WACZ made while it is sent: every resource is stored unchanged, `datapackage.json` comes last. Its length is
 * known before the first byte. The same files give the same bytes, so a broken download can continue when all CRCs are
 * known. Contract: archive.md §3, "Combined download".
 */
export class CombinedDownload implements Download {
  /** Exact length, bytes. */
  readonly size: number;
  /** Strong validator with quotes. */
  readonly etag: string;
  /** Whether `stream` takes a part; that needs the CRC of every member. */
  readonly isResumable: boolean;
  private readonly segments: Segment[];

  /** @param software `<Product> v<version>` */
  constructor(
    private readonly members: readonly CombinedMember[],
    software: string,
    metadata: PackageMetadata,
  ) {
    const json = datapackage(members, software, metadata);
    this.isResumable = members.every((member) => typeof member.crc32 === 'number');
    this.segments = layout(members, json);
    this.size = this.segments.reduce((sum, segment) => sum + segment.length, 0);
    const identity = createHash('sha256').update(json);
    for (const member of members) identity.update(`${member.crc32 ?? ''},`);
    this.etag = `"${identity.digest('hex').slice(0, 32)}"`;
  }

  /** Resolves when the first member can be read, after the usual retries. @throws MemberUnavailable */
  async check(signal?: AbortSignal): Promise<void> {
    const first = this.members.find((member) => member.size > 0);
    if (first) for await (const _ of readMember(first, { from: 0, to: 1 }, signal)) return;
  }

  /**
   * The bytes from `start` to `end` (inclusive); everything by default. Fails with `MemberUnavailable` when a member
   * cannot be read even after retries. Destroying the stream, or aborting, ends the read of the member.
   */
  stream(signal?: AbortSignal, start = 0, end = this.size - 1): Readable {
    if (!this.isResumable && (start > 0 || end < this.size - 1)) throw new Error('CRCs are needed to send a part');
    return Readable.from(this.bytes(start, end, signal), { objectMode: false, highWaterMark: 1024 * 1024 });
  }

  private async *bytes(start: number, end: number, signal?: AbortSignal): AsyncGenerator<Buffer> {
    let position = 0;
    for (const segment of this.segments) {
      const from = Math.max(start - position, 0);
      const to = Math.min(end + 1 - position, segment.length);
      if (from < to) yield* segment.emit(from, to, signal);
      position += segment.length;
    }
  }
}

/** Writes JSON like the reference, with 2-space indent and escaped non-ASCII. */
function datapackage(members: readonly CombinedMember[], software: string, metadata: PackageMetadata): Buffer {
  const resources = members.map(({ name, size, sha256 }) => ({
    name,
    path: name,
    hash: `sha256:${sha256}`,
    bytes: size,
  }));
  const text = JSON.stringify({ profile: 'multi-wacz-package', resources, software, ...metadata }, null, 2);
  return Buffer.from(text.replace(/[\u007f-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`));
}

function layout(members: readonly CombinedMember[], json: Buffer): Segment[] {
  const segments: Segment[] = [];
  const entries: WrittenEntry[] = [];
  let offset = 0;
  const add = (segment: Segment): void => {
    segments.push(segment);
    offset += segment.length;
  };
  for (const member of members) {
    const entry = { name: member.name, size: member.size, crc32: member.crc32 ?? 0, offset, hasDescriptor: true };
    entries.push(entry);
    add(fixed(localHeader(entry)));
    add(content(member, entry));
    add(late(DESCRIPTOR_BYTES, () => dataDescriptor(entry)));
  }
  const name = 'datapackage.json';
  const last = { name, size: json.length, crc32: crc32(json), offset, hasDescriptor: false };
  entries.push(last);
  add(fixed(localHeader(last)));
  add(fixed(json));
  const directoryOffset = offset;
  // The length does not depend on the CRCs, which may become known only while members are sent.
  add(late(directoryAndEnd(entries, directoryOffset).length, () => directoryAndEnd(entries, directoryOffset)));
  return segments;
}

/** The member's bytes. Computes the CRC on the way when it is unknown. */
function content(member: CombinedMember, entry: WrittenEntry): Segment {
  const isKnown = typeof member.crc32 === 'number';
  return {
    length: member.size,
    async *emit(from, to, signal) {
      let crc = 0;
      for await (const chunk of readMember(member, { from, to }, signal)) {
        if (!isKnown) crc = crc32(chunk, crc);
        yield chunk;
      }
      if (!isKnown) entry.crc32 = crc;
    },
  };
}

function fixed(bytes: Buffer): Segment {
  return late(bytes.length, () => bytes);
}

function late(length: number, make: () => Buffer): Segment {
  return {
    length,
    async *emit(from, to) {
      yield make().subarray(from, to);
    },
  };
}
