import type { StoredFile } from './data/stored-file.schema.js';

/** Where an object is, or will be. */
export type ObjectName = Pick<StoredFile, 'filename' | 'storage'>;

/** The record of an object that was never seen whole: it has no digest, and its writer may have died in the middle. */
export const unseenFile = ({ filename, storage }: ObjectName): StoredFile => ({
  ...{ filename, hash: '', size: 0, replicas: [] },
  storage: { name: storage.name, custom: storage.custom },
});

export const wasSeen = ({ hash }: StoredFile): boolean => hash !== '';
