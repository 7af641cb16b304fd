import { createHash, type Hash } from 'node:crypto';
import { posix } from 'node:path';
import { sha256 } from '../warc/record.js';
import { ZipWriter } from '../zip/zip-writer.js';
import type { SignHash } from './signed-data.js';

export interface WaczMember {
  /** Path inside the WACZ. */
  readonly path: string;
  readonly content: AsyncIterable<Buffer> | Iterable<Buffer>;
}

/** The fields of `datapackage.json` besides its resources. */
export interface WaczFacts {
  /** ISO 8601. */
  readonly created: string;
  readonly software: string;
  readonly title?: string;
  /** The browser that recorded, with its version. */
  readonly browser?: string;
  /** WACZs without which records of this one can't be replayed. */
  readonly requires?: readonly RequiredWacz[];
}

/** Another WACZ, as the official crawler names it. */
export interface RequiredWacz {
  readonly filename: string;
  /** SHA-256 in hex. */
  readonly hash: string;
  /** Bytes. */
  readonly size: number;
  /** Item that it belongs to. */
  readonly crawlId: string;
}

interface Resource {
  readonly name: string;
  readonly path: string;
  readonly hash: string;
  readonly bytes: number;
}

/**
 * Writes a WACZ 1.1.1 as a stream: the members in order, then the files that describe them. A member is asked for when
 * those before it are written; it is read once and never held in memory. Members are stored, never deflated, so that
 * replay can read ranges of them. The digest comes last, so that everything is written when its signature is asked for.
 */
export async function* writeWacz(
  members: AsyncIterable<WaczMember> | Iterable<WaczMember>,
  { title, browser, created, software, requires = [] }: WaczFacts,
  sign?: SignHash,
): AsyncGenerator<Buffer> {
  const zip = new ZipWriter();
  const resources: Resource[] = [];
  for await (const { path, content } of members) {
    const hash = createHash('sha256');
    const { size } = yield* zip.member(path, passing(content, hash));
    // Validators of data packages require names in lower case.
    const name = posix.basename(path).toLowerCase();
    resources.push({ name, path, hash: `sha256:${hash.digest('hex')}`, bytes: size });
  }
  const description = { profile: 'data-package', wacz_version: '1.1.1', resources, ...(title ? { title } : {}) };
  const relation = requires.length > 0 ? { relation: { requires } } : {};
  const datapackage = Buffer.from(
    JSON.stringify({ ...description, created, software, ...(browser ? { browser } : {}), ...relation }, null, 2),
  );
  const hash = sha256(datapackage);
  yield* zip.member('datapackage.json', [datapackage]);
  const signedData = (await sign?.({ hash, created })) ?? null;
  const digest = { path: 'datapackage.json', hash, ...(signedData ? { signedData } : {}) };
  yield* zip.member('datapackage-digest.json', [Buffer.from(JSON.stringify(digest))]);
  yield zip.end();
}

async function* passing(content: WaczMember['content'], hash: Hash): AsyncGenerator<Buffer> {
  for await (const bytes of content) {
    hash.update(bytes);
    yield bytes;
  }
}
