import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { Injectable } from '@nestjs/common';
import { AppConfig } from '../config/app-config.js';
import { IndexSync } from '../database/index-sync.js';
import { SCHEMA_VERSION } from '../database/schema-version.js';
import type { StorageRef } from '../storage/storage-ref.js';
import { storageRefToString } from '../storage/storage-ref.js';
import { Storages } from '../storage/storages.js';
import { BackupRefused, BackupTorn } from './backup.errors.js';
import { BackupVerifier } from './backup-verifier.js';
import type { OwnStorages } from './data/database-snapshots.js';
import { ownStoragesIn, RestoredDatabaseRepository } from './data/restored-database.repository.js';
import { OBJECT_PURPOSE } from './object-copier.js';
import { inOrderAhead } from './rules/ahead.js';
import { bsonDocuments } from './rules/bson-stream.js';
import { placeSecrets, secretMarkOf } from './secrets.js';
import type { BackupTarget } from './target/backup-target.js';
import { unpacked } from './target/lists.js';
import { placeOfObject, type BackedUpObject, type Manifest } from './target/manifest.js';
import { allOf } from './target/target-files.js';

/** Objects that are written at once. */
const AT_ONCE = 4;
/** The collections that make a database look used come last. */
const LAST = ['users', 'organizations', 'version'];

export interface RestoreOrder {
  readonly from: BackupTarget;
  readonly manifest: Manifest;
  /** Whether all of the backup is read and proved before anything is changed. */
  readonly verify: boolean;
  /** Whether the secrets of the backup replace the generated ones of DATA_DIR, or it is told that others are in use. */
  readonly secrets: 'place' | 'tell' | 'leave';
  readonly signal: AbortSignal;
  readonly tell: (line: string) => void;
}

export interface Restored {
  readonly documents: number;
  readonly objects: number;
  /** Objects that were in their storages already. */
  readonly present: number;
  /** Objects that the backup does not hold. */
  readonly missing: number;
}

/**
 * Puts a backup into an empty service: first the objects, then the database, whose users come last. A mark in the
 * database says that the restore is under way; no service starts on it meanwhile, and the restore may be repeated.
 */
@Injectable()
export class BackupRestorer {
  constructor(
    private readonly database: RestoredDatabaseRepository,
    private readonly verifier: BackupVerifier,
    private readonly storages: Storages,
    private readonly indexes: IndexSync,
    private readonly config: AppConfig,
  ) {}

  /** @throws BackupRefused, BackupTorn: before anything was changed */
  async restore(order: RestoreOrder): Promise<Restored> {
    const { from, manifest, tell } = order;
    await this.assertFits(manifest);
    if (order.verify) await this.assertWhole(order);
    const own = await this.ownStorages(from, manifest);
    await this.assertKnown(order, own);
    await this.database.begin(manifest.id);
    await this.database.clear();
    const objects = await this.placeObjects(order, own);
    const documents = await this.placeDocuments(order);
    await this.indexes.run();
    await this.indexes.settled();
    await this.placeSecrets(order);
    await this.database.finish();
    tell(`${String(documents)} documents and ${String(objects.objects)} objects are restored.`);
    return { documents, ...objects };
  }

  private async assertFits({ schemaVersion, id, program }: Manifest): Promise<void> {
    if (schemaVersion !== SCHEMA_VERSION)
      throw new BackupRefused(
        `the backup has schema version ${schemaVersion}, made by Muniment ${program}; this program reads ` +
          `${SCHEMA_VERSION}${schemaVersion > SCHEMA_VERSION ? ': upgrade it first' : ''}`,
      );
    const unfinished = await this.database.unfinished();
    if (unfinished !== null) return;
    const held = await this.database.whatItHolds();
    if (held !== null)
      throw new BackupRefused(
        `the database ${this.database.name} has ${held} of its own: ${id} is restored into an empty service only. ` +
          'Name another database (MONGO_DB_NAME) and another data folder (DATA_DIR), or empty these.',
      );
  }

  private async assertWhole({ from, manifest, tell }: RestoreOrder): Promise<void> {
    const torn: string[] = [];
    await this.verifier.verify(from, manifest, (problem) => torn.push(problem));
    if (torn.length === 0) return;
    for (const problem of torn.slice(0, 20)) tell(`torn: ${problem}`);
    throw new BackupTorn(`${String(torn.length)} parts of the backup ${manifest.id} are torn; nothing was changed`);
  }

  /** Org's own storages are in the documents that are restored. */
  private async ownStorages({ files }: BackupTarget, { collections }: Manifest): Promise<OwnStorages> {
    const own = new Map<string, NonNullable<ReturnType<typeof ownStoragesIn>['storages']>>();
    const orgs = collections.find(({ name }) => name === 'organizations');
    if (!orgs) return own;
    for await (const org of bsonDocuments(unpacked(files.read(orgs.place)))) {
      const { oid, storages } = ownStoragesIn(org);
      if (storages) own.set(oid, storages);
    }
    return own;
  }

  private async assertKnown({ from, manifest }: RestoreOrder, own: OwnStorages): Promise<void> {
    const unknown = new Set<string>();
    for await (const object of this.verifier.objectsOf(from, manifest))
      for (const ref of object.storages) if (!this.isKnown(object, ref, own)) unknown.add(storageRefToString(ref));
    if (unknown.size > 0)
      throw new BackupRefused(
        `the backup has objects in storages that are not configured here: ${[...unknown].join(', ')} (STORAGES_JSON)`,
      );
  }

  private async placeObjects(order: RestoreOrder, own: OwnStorages): Promise<Omit<Restored, 'documents'>> {
    const { from, manifest, signal, tell } = order;
    const sums = { objects: 0, present: 0, missing: 0 };
    const place = async (object: BackedUpObject): Promise<void> => {
      signal.throwIfAborted();
      if (object.at === null) {
        sums.missing += 1;
        tell(`not in the backup: ${object.key} of org ${object.oid} (${object.problem ?? 'unknown'})`);
        return;
      }
      for (const ref of object.storages)
        if (await this.placeObject(from, object, this.storeOf(object, ref, own))) sums.objects += 1;
        else sums.present += 1;
    };
    for await (const _ of inOrderAhead(this.verifier.objectsOf(from, manifest), AT_ONCE, place));
    return sums;
  }

  /** @returns false when the object was there already, byte for byte */
  private async placeObject(
    { files }: BackupTarget,
    { key, at, size, sha256 }: BackedUpObject,
    store: ReturnType<Storages['resolve']>,
  ): Promise<boolean> {
    const head = await store.head(key);
    if (head?.size === size && (await digestIn(store, key)) === sha256) return false;
    const body = Readable.from(files.read(placeOfObject(at ?? ''), OBJECT_PURPOSE), { objectMode: false });
    const stored = await store.put(key, body, { exactSize: size });
    if (stored.sha256 === sha256) return true;
    await store.delete(key);
    throw new BackupTorn(`the copy of ${key} has changed while it was restored`);
  }

  private async placeDocuments({ from, manifest, signal }: RestoreOrder): Promise<number> {
    const order = [...manifest.collections].sort((a, b) => LAST.indexOf(a.name) - LAST.indexOf(b.name));
    let documents = 0;
    for (const { name, place, documents: expected } of order) {
      signal.throwIfAborted();
      const inserted = await this.database.insert(name, bsonDocuments(unpacked(from.files.read(place))));
      if (inserted !== expected)
        throw new BackupTorn(`${place} holds ${String(inserted)} documents, not ${String(expected)}`);
      documents += inserted;
    }
    return documents;
  }

  /** Without its PASSWORD_SECRET the service cannot open what it has sealed: signing keys, secrets of webhooks. */
  private async placeSecrets({ from, manifest, secrets: wish, tell }: RestoreOrder): Promise<void> {
    const { secrets, secretMark } = manifest;
    if (wish === 'leave' || secretMark === secretMarkOf(this.config)) return;
    if (secrets !== null && wish === 'place') {
      await placeSecrets(this.config.dataDir, await allOf(from.files.read(secrets)));
      tell('The secrets of the backup are in DATA_DIR/secrets.json.');
      return;
    }
    tell(
      'PASSWORD_SECRET is another one than that of the backup: everybody has to log in again, and what was sealed with ' +
        'the old one (signing keys) cannot be opened. Set it to the old one before the service starts.',
    );
  }

  private isKnown({ oid }: BackedUpObject, ref: StorageRef, own: OwnStorages): boolean {
    return this.storages.isKnown({ customStorages: own.get(oid) ?? null }, ref);
  }

  private storeOf({ oid }: BackedUpObject, ref: StorageRef, own: OwnStorages): ReturnType<Storages['resolve']> {
    return this.storages.resolve({ customStorages: own.get(oid) ?? null }, ref);
  }
}

async function digestIn(store: ReturnType<Storages['resolve']>, key: string): Promise<string> {
  const { body } = await store.get(key);
  const hash = createHash('sha256');
  for await (const chunk of body) hash.update(chunk as Buffer);
  return hash.digest('hex');
}
