import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

import type { ListedObject, ObjectList } from '../object-store.js';
import { isAbsent } from './fs-errors.js';

interface Selection {
  readonly prefix: string;
  /** Empty: the list begins at the start. */
  readonly after: string;
  readonly limit: number;
}

/** One page of the files under `root` as keys, in UTF-8 byte order like S3; `skip` is the store's own directory. */
export async function listKeys(root: string, skip: string, selection: Selection): Promise<ObjectList> {
  const objects: ListedObject[] = [];
  for await (const key of walk(root, '', skip, selection)) {
    if (objects.length === selection.limit) {
      return { objects, next: objects[objects.length - 1]!.key };
    }
    const info = await stat(join(root, key)).catch((error: unknown) => {
      if (isAbsent(error)) return null; // The file was deleted since the directory was read.
      throw error;
    });
    if (info) objects.push({ key, size: info.size, lastModified: info.mtime });
  }
  return { objects, next: null };
}

/** The walk descends only where a wanted key can be. Its memory is the entries of one directory for each level. */
async function* walk(root: string, dir: string, skip: string, wanted: Selection): AsyncGenerator<string> {
  for (const entry of await entriesInKeyOrder(join(root, dir))) {
    const key = `${dir}${entry.name}`;
    if (key === skip) continue;
    if (entry.isDirectory()) {
      const inside = `${key}/`;
      if (!inside.startsWith(wanted.prefix) && !wanted.prefix.startsWith(inside)) continue;
      if (isAtOrBefore(inside, wanted.after) && !wanted.after.startsWith(inside)) continue;
      yield* walk(root, inside, skip, wanted);
    } else if (entry.isFile() && key.startsWith(wanted.prefix) && !isAtOrBefore(key, wanted.after)) {
      yield key;
    }
  }
}

/** A directory sorts as its name with the slash: `a-b` comes before the keys of `a/`. */
async function entriesInKeyOrder(path: string): Promise<Dirent[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch((error: unknown) => {
    if (isAbsent(error)) return [];
    throw error;
  });
  const sortKey = (entry: Dirent): Buffer => Buffer.from(entry.isDirectory() ? `${entry.name}/` : entry.name);
  return entries
    .map((entry) => ({ entry, key: sortKey(entry) }))
    .sort((a, b) => Buffer.compare(a.key, b.key))
    .map(({ entry }) => entry);
}

function isAtOrBefore(key: string, other: string): boolean {
  return Buffer.compare(Buffer.from(key), Buffer.from(other)) <= 0;
}
