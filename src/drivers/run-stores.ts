import { Injectable } from '@nestjs/common';
import { OrgsReads } from '../orgs/data/orgs.reads.js';
import type { ObjectStore } from '../storage/object-store.js';
import type { StorageRef } from '../storage/storage-ref.js';
import { Storages, UnknownStorage, type StorageOwner } from '../storage/storages.js';

/** Finds the store of a run's files. */
export type StoreFor = (oid: string, ref: StorageRef) => Promise<ObjectStore>;

/** Finds the object store of a run, which may be a custom storage of its org. */
@Injectable()
export class RunStores {
  constructor(
    private readonly storages: Storages,
    private readonly orgs: OrgsReads,
  ) {}

  /** The object store. @throws UnknownStorage also when the org that owned it is gone */
  async of(oid: string, ref: StorageRef): Promise<ObjectStore> {
    if (!ref.custom) return this.storages.resolveDefault(ref);
    const org = await this.orgs.findById(oid);
    if (!org) throw new UnknownStorage(ref);
    return this.storages.resolve({ customStorages: org.customStorages as StorageOwner['customStorages'] }, ref);
  }
}
