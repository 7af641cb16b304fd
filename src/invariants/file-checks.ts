import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { OrgsRepository } from '../orgs/data/orgs.repository.js';
import { isInOrgFolder } from '../storage/file-names.js';
import type { ListedObject, ObjectStore } from '../storage/object-store.js';
import { storageRefToString } from '../storage/storage-ref.js';
import { Storages } from '../storage/storages.js';
import type { ReportViolation } from './counter-checks.js';
import { FilePlacesQueries, type FilePlace, type NamedStorage } from '../objects/data/file-places.queries.js';
import { inStep } from './in-step.js';
import type { Violation } from './violation.js';

/** Mismatches that are checked a second time together. */
const BATCH = 500;
const PAUSE_MS = 300;

export interface FilesChecked {
  readonly files: number;
  readonly objects: number;
}

/** Checks that every file record has its object of the recorded size, and every object its record. */
@Injectable()
export class FileChecks {
  constructor(
    private readonly places: FilePlacesQueries,
    private readonly orgs: OrgsRepository,
    private readonly storages: Storages,
  ) {}

  /**
   * Looks for objects without a record only in the deployment's storages. An org's own bucket may hold other things.
   * @param youngest objects newer than this may still be waiting for their record
   * @throws StorageError when a storage does not answer
   */
  async check(found: ReportViolation, youngest: Date): Promise<FilesChecked> {
    const named = await this.places.storages();
    const unnamed = this.storages.defaultRefs.filter(
      ({ name }) => !named.some(({ ref }) => !ref.custom && ref.name === name),
    );
    const sums = { files: 0, objects: 0 };
    for (const storage of [...named, ...unnamed.map((ref) => ({ ref, oid: null, count: 0 }))]) {
      const store = await this.storeOf(storage);
      if (store) await this.checkStorage({ storage, store, youngest }, sums, found);
      else found(unknownStorage(storage));
    }
    return sums;
  }

  private async storeOf({ ref, oid }: NamedStorage): Promise<ObjectStore | null> {
    const org = oid ? await this.orgs.findById(oid) : null;
    const owner = { customStorages: org?.customStorages ?? null };
    return this.storages.isKnown(owner, ref) ? this.storages.resolve(owner, ref) : null;
  }

  private async checkStorage(
    place: Place,
    sums: { files: number; objects: number },
    found: ReportViolation,
  ): Promise<void> {
    let doubtful: string[] = [];
    for await (const [key, records, object] of inStep(
      this.places.inOrder(place.storage),
      place.storage.ref.custom ? none() : listed(place.store),
    )) {
      sums.files += records.filter(({ isPlanned }) => !isPlanned).length;
      sums.objects += object ? 1 : 0;
      if (violationOf(key, records, object, place.youngest) === null) continue;
      doubtful.push(key);
      if (doubtful.length < BATCH) continue;
      (await this.lookAgain(place, doubtful)).forEach(found);
      doubtful = [];
    }
    if (doubtful.length > 0) (await this.lookAgain(place, doubtful)).forEach(found);
  }

  /** Checks each mismatch again by itself, because the list was read while records changed. */
  private async lookAgain({ storage, store, youngest }: Place, keys: readonly string[]): Promise<Violation[]> {
    const read = async (): Promise<Violation[]> => {
      const all = await this.places.under(storage, keys);
      const violations: Violation[] = [];
      for (const key of keys) {
        const records = all.filter((record) => record.key === key);
        const head = await store.head(key);
        const violation = violationOf(key, records, head ? { key, ...head } : null, youngest);
        if (violation) violations.push(violation);
      }
      return violations;
    };
    if ((await read()).length === 0) return [];
    await sleep(PAUSE_MS);
    return read();
  }
}

interface Place {
  readonly storage: NamedStorage;
  readonly store: ObjectStore;
  readonly youngest: Date;
}

function violationOf(
  key: string,
  records: readonly FilePlace[],
  object: ListedObject | null,
  youngest: Date,
): Violation | null {
  const record = records.find(({ isPlanned }) => !isPlanned);
  if (record) {
    if (object?.size === record.size) return null;
    const of = { subject: 'file', oid: record.oid, id: key, expected: record.size } as const;
    return object ? { ...of, field: 'size', stored: object.size } : { ...of, field: 'object', stored: null };
  }
  if (!object || records.length > 0 || object.lastModified > youngest) return null;
  const oid = key.slice(0, key.indexOf('/'));
  return { subject: 'object', oid, id: key, field: 'record', stored: object.size, expected: null };
}

const unknownStorage = ({ ref, oid, count }: NamedStorage): Violation => ({
  ...{ subject: 'file', oid, id: storageRefToString(ref), field: 'files in a storage that is not configured' },
  ...{ stored: count, expected: 0 },
});

/** The orgs' objects in a storage, in the order of their keys. */
async function* listed(store: ObjectStore): AsyncGenerator<ListedObject> {
  for (let after: string | undefined; ;) {
    const { objects, next } = await store.list('', after === undefined ? {} : { after });
    for (const object of objects) if (isInOrgFolder(object.key)) yield object;
    if (next === null) return;
    after = next;
  }
}

/** An org's own bucket is not listed; each of its records is looked up by itself. */
async function* none(): AsyncGenerator<ListedObject> {}
