import { createHash } from 'node:crypto';

import type { PackageCheck } from '../common/package-check.js';
import { checkSignature } from './signature.js';
import { UnreadableWacz } from '../../formats/unreadable-wacz.js';
import type { ZipArchive } from '../../formats/zip/zip-archive.js';
import type { ZipEntry } from '../../formats/zip/zip-directory.js';

export const DATAPACKAGE = 'datapackage.json';
export const DIGEST = 'datapackage-digest.json';
/** JSON is parsed whole for several uploads at a time. 2 MB name some 10,000 resources; real WACZs some dozen. */
const MAX_JSON_BYTES = 2_000_000;
/** Resources are hashed until this many bytes were read. For the rest, mostly WARC files, the size is compared. */
const MAX_HASHED_BYTES = 256 * 1024 * 1024;
const MAX_RESOURCES = 100_000;
const MAX_PROBLEMS = 20;

interface Resource {
  readonly path: string;
  readonly hash: string;
  readonly bytes: number;
}

/** @throws StorageError; an unreadable archive is returned as a problem */
export async function checkPackage(archive: ZipArchive, signal?: AbortSignal): Promise<PackageCheck> {
  const problems: string[] = [];
  try {
    const described = await entriesOf(archive, new Set([DATAPACKAGE, DIGEST]), problems);
    const datapackage = await jsonOf(archive, described.get(DATAPACKAGE));
    const digest = await jsonOf(archive, described.get(DIGEST));
    const signature = digest ? checkSignature(digest.value, datapackage?.bytes ?? null) : null;
    if (!datapackage) return { intact: null, problems, signature };
    const stated = text(digest?.value, 'hash');
    if (digest && stated !== sha256(datapackage.bytes)) problems.push(`${DATAPACKAGE} does not match ${DIGEST}`);
    const resources = resourcesOf(datapackage.value);
    const entries = await entriesOf(archive, new Set(resources.map(({ path }) => path)), problems);
    await compareResources(archive, entries, resources, problems, signal);
    return { intact: problems.length === 0, problems: problems.slice(0, MAX_PROBLEMS), signature };
  } catch (error) {
    if (!(error instanceof UnreadableWacz)) throw error;
    return { intact: false, problems: [...problems, error.message].slice(0, MAX_PROBLEMS), signature: null };
  }
}

/** The entries with one of the names. Players differ in which of two entries with one name they take. */
export async function entriesOf(
  archive: ZipArchive,
  names: ReadonlySet<string>,
  problems: string[],
): Promise<Map<string, ZipEntry>> {
  const entries = new Map<string, ZipEntry>();
  for (const entry of await archive.find((name) => names.has(name))) {
    if (entries.has(entry.name)) problems.push(`${entry.name} is there more than once`);
    entries.set(entry.name, entry);
  }
  return entries;
}

async function compareResources(
  archive: ZipArchive,
  entries: ReadonlyMap<string, ZipEntry>,
  resources: readonly Resource[],
  problems: string[],
  signal?: AbortSignal,
): Promise<void> {
  let left = MAX_HASHED_BYTES;
  for (const { path, hash, bytes } of resources) {
    if (problems.length >= MAX_PROBLEMS) return;
    signal?.throwIfAborted();
    const entry = entries.get(path);
    if (!entry) problems.push(`${path} is missing`);
    else if (entry.size !== bytes) problems.push(`${path} has ${entry.size} bytes, not ${bytes}`);
    else if (hash.startsWith('sha256:') && entry.size <= left) {
      left -= entry.size;
      if ((await hashOf(archive, entry)) !== hash) problems.push(`${path} does not match its hash`);
    }
  }
}

export async function jsonOf(archive: ZipArchive, entry?: ZipEntry): Promise<{ bytes: Buffer; value: unknown } | null> {
  if (!entry) return null;
  const bytes = await archive.readWhole(entry, MAX_JSON_BYTES);
  try {
    return { bytes, value: JSON.parse(bytes.toString('utf8')) };
  } catch (error) {
    throw new UnreadableWacz('corrupt', `${entry.name} is no JSON`, { cause: error });
  }
}

function resourcesOf(datapackage: unknown): Resource[] {
  const list = (datapackage as { resources?: unknown } | null)?.resources;
  if (!Array.isArray(list)) return [];
  return list.slice(0, MAX_RESOURCES).flatMap((one: unknown) => {
    const bytes = (one as { bytes?: unknown } | null)?.bytes;
    const path = text(one, 'path');
    return path && typeof bytes === 'number' ? [{ path, hash: text(one, 'hash') ?? '', bytes }] : [];
  });
}

async function hashOf(archive: ZipArchive, entry: ZipEntry): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of archive.read(entry)) hash.update(chunk as Buffer);
  return `sha256:${hash.digest('hex')}`;
}

const sha256 = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

export function text(value: unknown, field: string): string | null {
  const found = (value as Record<string, unknown> | null | undefined)?.[field];
  return typeof found === 'string' ? found : null;
}
