import type { StoredFile } from './data/stored-file.schema.js';

/** The place where an object is or will be. */
export type ObjectName = Pick<StoredFile, 'filename' | 'storage'>;

/** The record of an object whose write was not seen to end. It has no digest, and the writer may have died halfway. */
export const unseenFile = ({ filename, storage }: ObjectName): StoredFile => ({
  ...{ filename, hash: '', size: 0, replicas: [] },
  storage: { name: storage.name, custom: storage.custom },
});

export const wasSeen = ({ hash }: StoredFile): boolean => hash !== '';
