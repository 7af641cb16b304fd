import { randomBytes } from 'node:crypto';
import { canonicalUuid } from '../common/ids/uuid.js';
import { baseName } from '../common/text/base-name.js';
import { slugify } from '../common/text/slug.js';
import type { StorageRef } from './storage-ref.js';

/** Length that keeps a whole key segment under 255 bytes beside ids and the random part. */
const MAX_SLUG = 120;
const MAX_EXTENSION = 40;
const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** Prefix of an org's keys in a storage: the org's folder in a shared storage, the root in its own. */
export function orgPrefix(oid: string, storage: StorageRef): string {
  return storage.custom ? '' : `${oid}/`;
}

/**
 * Whether a key of a storage that orgs share can be the product's. A bucket may hold other things beside orgs' folders.
 */
export function isInOrgFolder(key: string): boolean {
  const [folder = '', name] = key.split('/', 2);
  return name !== undefined && canonicalUuid(folder) === folder;
}

interface UploadedFile {
  readonly oid: string;
  readonly storage: StorageRef;
  /** The name that the client gave. Only its last segment, slugified, and its extension get into the key. */
  readonly originalName: string;
}

/** Keys of new objects: `files[].filename`, relative to the storage's endpoint. Contract: archive.md §2.3. */
export const fileNames = {
  /**
   * `itemId` is `upload-<uuid>` for streamed uploads and a bare uuid for form uploads. The key begins with it
   * unchanged.
   */
  upload: (itemId: string, file: UploadedFile): string =>
    `${orgPrefix(file.oid, file.storage)}uploads/${itemId}-${slugWithRandom(file.originalName)}`,

  /** A WACZ taken out of a multi-WACZ upload. */
  splitWacz: (itemId: string, file: UploadedFile): string =>
    `${orgPrefix(file.oid, file.storage)}uploads/${itemId}-${slugOfFile(file.originalName)}-${randomName()}.wacz`,

  /** The dash before `thumbnail` is part of the contract. */
  thumbnail: (collectionId: string, file: UploadedFile): string =>
    `${orgPrefix(file.oid, file.storage)}images/-thumbnail-${collectionId}-${randomName()}${extensionOf(file.originalName)}`,

  seedFile: (fileId: string, oid: string, storage: StorageRef): string =>
    `${orgPrefix(oid, storage)}seedFiles/seedFile-${fileId}-${randomName()}.txt`,

  /** Profiles are always in the org's folder, also in the org's own storage. */
  profile: (profileId: string, oid: string): string => `${oid}/profiles/profile-${profileId}.tar.gz`,

  dedupeIndex: (collectionId: string, oid: string, storage: StorageRef): string =>
    `${orgPrefix(oid, storage)}dedupe-index/${collectionId}`,
};

function slugWithRandom(originalName: string): string {
  return `${slugOfFile(originalName)}-${randomName()}${extensionOf(originalName)}`;
}

function slugOfFile(originalName: string): string {
  const base = baseName(originalName);
  return slugify(base.slice(0, base.length - rawExtension(base).length)).slice(0, MAX_SLUG);
}

/** The extension with its dot, as the client wrote it. Characters that a key cannot hold are left out. */
export function extensionOf(originalName: string): string {
  const allowed = rawExtension(baseName(originalName)).replace(/[\u0000-\u001f\u007f\\]/g, '');
  return [...allowed].slice(0, MAX_EXTENSION).join('');
}

/** A leading dot names a hidden file, not an extension. */
function rawExtension(base: string): string {
  const dot = base.lastIndexOf('.');
  return dot > 0 && /[^.]/.test(base.slice(0, dot)) ? base.slice(dot) : '';
}

/** 40 random bits: 8 characters of lower-case base32. */
export function randomName(): string {
  return [...randomBytes(8)].map((byte) => BASE32[byte & 31]).join('');
}
