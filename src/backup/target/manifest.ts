import { createHash } from 'node:crypto';
import { BackupTorn } from '../backup.errors.js';

/** Version of the layout of a target and of what its files hold. */
export const BACKUP_FORMAT = 1;

export interface BackedUpFile {
  /** Path relative to the target. */
  readonly place: string;
  /** Bytes and SHA-256 in hex, as the file is stored. */
  readonly size: number;
  readonly sha256: string;
}

export interface BackedUpCollection {
  readonly name: string;
  /** Number of documents. */
  readonly documents: number;
  readonly place: string;
}

/** What a backup is. It is written last, so that a backup without one does not count. */
export interface Manifest {
  readonly format: number;
  /** Begins with the moment, so that ids sort by time. */
  readonly id: string;
  /** The moment of the database that was read, ISO 8601. */
  readonly taken: string;
  /** The database's own name for that moment, `<seconds>.<increment>`. */
  readonly clusterTime: string;
  /** Version of the program that made the backup. */
  readonly program: string;
  readonly schemaVersion: string;
  /** Id of the database, which a restored one has too. */
  readonly installation: string;
  readonly collections: readonly BackedUpCollection[];
  readonly objects: {
    /** Place of the list of objects, one JSON document a line. */
    readonly index: string;
    readonly count: number;
    /** Bytes of all objects that the backup names; those of earlier backups are shared. */
    readonly bytes: number;
    /** Objects that could not be copied, or that differ from their record. */
    readonly problems: number;
  };
  /** Place of the installation's secrets; null without encryption. */
  readonly secrets: string | null;
  /** By which a restore knows whether the service has the same PASSWORD_SECRET. */
  readonly secretMark: string;
  /** Every file of the backup but the manifest itself and the objects. */
  readonly files: readonly BackedUpFile[];
}

/** One object of a backup, as its documents record it. */
export interface BackedUpObject {
  readonly oid: string;
  /** The object's name in each of its storages. */
  readonly key: string;
  /** The storages in which documents say it is, the original first. */
  readonly storages: readonly { readonly name: string; readonly custom: boolean }[];
  /** Bytes and SHA-256 in hex of what was copied; of the record where `at` is null. */
  readonly size: number;
  readonly sha256: string;
  /** Name of the copy in the target; null when there is none. */
  readonly at: string | null;
  /** What is wrong with it, in words; absent when nothing is. */
  readonly problem?: string;
}

/** Where a copied object lies in the target. */
export const placeOfObject = (at: string): string => `objects/${at.slice(0, 2)}/${at}`;
export const folderOf = (id: string): string => `snapshots/${id}`;
export const manifestOf = (id: string): string => `${folderOf(id)}/manifest`;

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex');

/** The digest comes first: a manifest proves itself also where nothing is encrypted. */
export function toBytes(manifest: Manifest): Buffer {
  const text = JSON.stringify(manifest, null, 1);
  return Buffer.from(`${digestOf(text)}\n${text}`);
}

/** @throws BackupTorn */
export function fromBytes(bytes: Buffer, place: string): Manifest {
  const whole = bytes.toString('utf8');
  const end = whole.indexOf('\n');
  const text = whole.slice(end + 1);
  if (end < 0 || digestOf(text) !== whole.slice(0, end))
    throw new BackupTorn(`${place} has changed since it was written`);
  return JSON.parse(text) as Manifest;
}
