import { type FileFields, orEmpty } from '../../objects/data/file-owner.js';
import type { StoredFile } from '../../objects/data/stored-file.schema.js';
import type { Item } from './item.schema.js';

const FILES_OF_RUNS = {
  $reduce: {
    input: { $objectToArray: { $ifNull: ['$qaFinished', {}] } },
    initialValue: [],
    in: { $concatArrays: ['$$value', orEmpty('$$this.v.files')] },
  },
};

/** The item's own files and those of its QA runs. */
export const ITEM_FILES: FileFields = {
  kind: 'item',
  files: { $concatArrays: [orEmpty('$files'), orEmpty('$qa.files'), FILES_OF_RUNS] },
  copied: { field: 'files', isList: true },
  lasting: { deleted: { $ne: true } },
  withFiles: { fileCount: { $gt: 0 } },
};

/** The same of an item that is at hand. */
export function allFilesOf(item: Pick<Item, 'files' | 'qa' | 'qaFinished'>): StoredFile[] {
  const runs = [...Object.values(item.qaFinished ?? {}), ...(item.qa ? [item.qa] : [])];
  return [...(item.files ?? []), ...runs.flatMap(({ files }) => files ?? [])];
}
