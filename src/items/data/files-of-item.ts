import type { Item } from './item.schema.js';
import type { StoredFile } from './stored-file.schema.js';

/** The item's own files and those of its QA runs. */
export function allFilesOf(item: Pick<Item, 'files' | 'qa' | 'qaFinished'>): StoredFile[] {
  const runs = [...Object.values(item.qaFinished ?? {}), ...(item.qa ? [item.qa] : [])];
  return [...(item.files ?? []), ...runs.flatMap(({ files }) => files ?? [])];
}
