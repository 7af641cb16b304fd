/**
 * Names one storage: a default storage of the deployment, or (`custom`) one that belongs to an org. File records and
 * orgs store exactly this shape (archive.md §2.1).
 */
export interface StorageRef {
  readonly name: string;
  readonly custom: boolean;
}

/** Name of the storage that exists when the deployment configures none. */
export const BUILT_IN_STORAGE = 'default';

/** `name` or `cs-<name>`: the form of a ref where one string is needed. */
export function storageRefToString(ref: StorageRef): string {
  return ref.custom ? `cs-${ref.name}` : ref.name;
}

export function sameStorageRef(a: StorageRef, b: StorageRef): boolean {
  return a.name === b.name && a.custom === b.custom;
}
