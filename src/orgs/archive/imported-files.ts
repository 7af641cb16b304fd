import { canonicalUuid } from '../../common/ids/uuid.js';
import { invalidInput, type Loc } from '../../common/validation/issue.js';
import { assertObjectKey } from '../../storage/object-key.js';
import type { StorageRef } from '../../storage/storage-ref.js';
import { InvalidObjectKey } from '../../storage/storage.errors.js';

/** The rules about where the files of an imported org are. */
export interface StorageRules {
  readonly oid: string;
  /** Name of the default storage where the files are now; null when the export names it. */
  readonly storageName: string | null;
  /** Whether the deployment or the imported org has this storage. */
  readonly isKnown: (ref: StorageRef) => boolean;
}

type Fields = Readonly<Record<string, unknown>>;

const asRef = (ref: Fields): StorageRef => ({ name: String(ref['name']), custom: ref['custom'] === true });

/**
 * Returns the reference to a storage of the deployment or of the imported org.
 * @throws InputRefused when neither has a storage of that name
 */
export function storageHere(ref: unknown, { storageName, isKnown }: StorageRules, loc: Loc): unknown {
  if (storageName !== null) return { name: storageName, custom: false };
  if (typeof ref !== 'object' || ref === null) return ref;
  const found = asRef(ref as Fields);
  if (!isKnown(found)) throw invalidInput(loc, 'no storage of this name', found.name, 'import_error');
  return { ...ref, custom: found.custom };
}

/** Returns those replica storages that this deployment can reach. Storages of a former deployment are left out. */
export const replicasHere = (refs: unknown, { isKnown }: StorageRules): unknown =>
  Array.isArray(refs) ? (refs as Fields[]).filter((ref) => isKnown(asRef(ref))) : refs;

/**
 * Imports a file record. Its storage is set by the rules, and the download URL of the other service is removed.
 * @throws InputRefused
 */
export function fileHere(file: unknown, rules: StorageRules, loc: Loc): unknown {
  if (typeof file !== 'object' || file === null) return file;
  const { presignedUrl: _url, expireAt: _end, ...rest } = file as Fields;
  checkKey(rest['filename'], rules, [...loc, 'filename']);
  return {
    ...rest,
    storage: storageHere(rest['storage'], rules, [...loc, 'storage', 'name']),
    ...('replicas' in rest ? { replicas: replicasHere(rest['replicas'], rules) } : {}),
  };
}

/** Checks that the stores accept a key and that it is not another org's. What an org records is deleted with it. */
function checkKey(key: unknown, { oid }: StorageRules, loc: Loc): void {
  if (typeof key !== 'string') return;
  const [folder = ''] = key.split('/', 1);
  const owner = canonicalUuid(folder);
  if (owner !== null && owner !== oid) throw invalidInput(loc, 'of another organization', key, 'import_error');
  try {
    assertObjectKey(key);
  } catch (error) {
    if (!(error instanceof InvalidObjectKey)) throw error;
    throw invalidInput(loc, error.message, key.slice(0, 200), 'import_error');
  }
}

/** Imports a list of file records. Old documents have null for an empty list. */
export const filesHere = (files: unknown, rules: StorageRules, loc: Loc): unknown =>
  Array.isArray(files) ? files.map((file, n) => fileHere(file, rules, [...loc, n])) : [];
