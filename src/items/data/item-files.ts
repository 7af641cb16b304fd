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

/** How items record files: their own and those of their QA runs. */
export const ITEM_FILES: FileFields = {
  kind: 'item',
  files: { $concatArrays: [orEmpty('$files'), orEmpty('$qa.files'), FILES_OF_RUNS] },
  copied: { field: 'files', isList: true },
  lasting: { deleted: { $ne: true } },
  keepsRuns: true,
  withFiles: { fileCount: { $gt: 0 } },
  movesTo: 'keptItem',
};

/** Returns the same files from a document in memory. */
export const allFilesOf = (item: Pick<Item, 'files' | 'qa' | 'qaFinished'>): StoredFile[] => [
  ...(item.files ?? []),
  ...filesOfRuns(item),
];

/** Returns the files of an item's QA runs. */
export function filesOfRuns(item: Pick<Item, 'qa' | 'qaFinished'>): StoredFile[] {
  const runs = [...Object.values(item.qaFinished ?? {}), ...(item.qa ? [item.qa] : [])];
  return runs.flatMap(({ files }) => files ?? []);
}
