import { createHash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

import { own } from '../common/objects/own.js';
import { withTrailingSlash } from '../common/text/trailing-slash.js';
import { AppConfig } from '../config/app-config.js';
import type { ServedStore } from './data-server.js';
import { DefaultStorages } from './default-storages.js';
import { orgPrefix } from './file-names.js';
import { LocalObjectStore } from './local/local-object-store.js';
import type { CustomStorage } from '../orgs/data/org.schema.js';
import type { ObjectStore } from './object-store.js';
import type { S3StorageConfig } from './s3/s3-location.js';
import { S3ObjectStore, timeoutsOf, type S3Timeouts } from './s3/s3-object-store.js';
import { ScratchStores } from './scratch-stores.js';
import { sameStorageRef, type StorageRef, storageRefToString } from './storage-ref.js';
import { StorageError } from './storage.errors.js';

/** The part of an org that decides where its objects are. */
export interface StorageOwner {
  readonly _id: string;
  readonly storage: StorageRef;
  readonly storageReplicas?: readonly StorageRef[] | null;
  readonly customStorages?: Readonly<Record<string, CustomStorage>> | null;
  /** URLs handed out from now on are signed for this moment at the earliest; see `PresignedFiles`. */
  readonly presignedClearedAt?: Date | null;
}

/** The ref names a storage that neither the deployment nor the org has. */
export class UnknownStorage extends StorageError {
  constructor(ref: StorageRef) {
    super(`no storage ${storageRefToString(ref)}`);
  }
}

/** Stores of custom storages that are kept open. Connections are worth keeping, but orgs come and go. */
const MAX_CUSTOM_STORES = 200;

/** Finds the object store behind a storage ref. Every other room gets its stores here alone. */
@Injectable()
export class Storages {
  private readonly defaultStores = new Map<string, ObjectStore>();
  /** Stores by digest of the credentials, so that a changed storage gets a new store. The oldest come first. */
  private readonly customStores = new Map<string, S3ObjectStore>();
  private readonly scratch: ScratchStores | null;

  constructor(
    private readonly defaults: DefaultStorages,
    local: LocalObjectStore,
    private readonly config: AppConfig,
  ) {
    this.scratch = config.storage.isScratch ? new ScratchStores(config) : null;
    for (const [name, config] of defaults.byName) {
      this.defaultStores.set(name, config ? new S3ObjectStore(config, this.timeouts) : local);
    }
  }

  private get timeouts(): S3Timeouts {
    return timeoutsOf(this.config.storage.timeoutSeconds);
  }

  /** The storage that new orgs get. */
  get defaultPrimary(): StorageRef {
    return { ...this.defaults.primary };
  }

  /** Every storage of the deployment, in configured order. */
  get defaultRefs(): StorageRef[] {
    return [...this.defaults.byName.keys()].map((name) => ({ name, custom: false }));
  }

  /** The store of the org's new objects. @throws UnknownStorage */
  primaryOf(owner: StorageOwner): ObjectStore {
    return this.resolve(owner, owner.storage);
  }

  /**
   * The storages that copies of the org's files belong in: the org's choice, else the deployment's. Contract:
   * archive.md §2.6.
   */
  replicaTargets(owner: StorageOwner): StorageRef[] {
    const own = owner.storageReplicas ?? [];
    return (own.length > 0 ? own : this.defaults.replicas).filter((ref) => !sameStorageRef(ref, owner.storage));
  }

  isKnown(owner: Pick<StorageOwner, 'customStorages'>, ref: StorageRef): boolean {
    if (this.scratch) return true;
    return ref.custom ? own(owner.customStorages, ref.name) !== undefined : this.defaultStores.has(ref.name);
  }

  /**
   * Whether objects of the storage are fetched from public addresses alone. That holds for orgs' own storages, unless
   * the deployment lets these have private addresses.
   */
  isGuarded(ref: StorageRef): boolean {
    return ref.custom && !this.config.addresses.storages.isOpen;
  }

  /** @throws UnknownStorage */
  resolve(owner: Pick<StorageOwner, 'customStorages'>, ref: StorageRef): ObjectStore {
    if (this.scratch) return this.scratch.of(ref);
    const store = ref.custom ? this.customStore(own(owner.customStorages, ref.name)) : this.defaultStores.get(ref.name);
    if (!store) throw new UnknownStorage(ref);
    return store;
  }

  /** The store of a default storage, for objects that belong to no org any more. @throws UnknownStorage */
  resolveDefault(ref: StorageRef): ObjectStore {
    return this.resolve({}, { name: ref.name, custom: false });
  }

  /**
   * What a crawler container needs to upload by itself: the storage's S3 address with credentials (absent for the local
   * store), and the prefix of the org's keys. The result must never be logged.
   * @throws UnknownStorage
   */
  forCrawler(owner: StorageOwner, ref = owner.storage): { ref: StorageRef; keyPrefix: string; s3?: S3StorageConfig } {
    if (!this.isKnown(owner, ref)) throw new UnknownStorage(ref);
    const custom = ref.custom ? own(owner.customStorages, ref.name) : undefined;
    const s3 = custom ? fromStored(custom) : this.defaults.byName.get(ref.name);
    return { ref: { ...ref }, keyPrefix: orgPrefix(owner._id, ref), ...(s3 ? { s3 } : {}) };
  }

  /** The stores whose URLs begin with `publicPath`, a path on this service's own host. */
  servedAt(publicPath: string): ServedStore[] {
    const served: ServedStore[] = [];
    for (const [name, config] of this.defaults.byName) {
      const store = this.defaultStores.get(name);
      const isOurs = config === null || withTrailingSlash(config.accessEndpointUrl) === publicPath;
      if (isOurs && (store instanceof LocalObjectStore || store instanceof S3ObjectStore)) {
        served.push({ store, ...store.scope });
      }
    }
    return served;
  }

  /** Resolves when all default stores answer. @throws StorageDenied, StorageUnavailable */
  async ping(): Promise<void> {
    await Promise.all([...this.defaultStores.values()].map((store) => store.ping()));
  }

  private customStore(stored: CustomStorage | undefined): S3ObjectStore | undefined {
    if (!stored) return undefined;
    const id = createHash('sha256').update(JSON.stringify(stored)).digest('base64');
    const known = this.customStores.get(id);
    if (known) return known;
    const made = new S3ObjectStore(fromStored(stored), this.timeouts, this.config.addresses.storages);
    this.customStores.set(id, made);
    if (this.customStores.size > MAX_CUSTOM_STORES) {
      const oldest = this.customStores.keys().next().value;
      // The store is not closed, because a transfer may still use it. Its idle connections end by themselves.
      if (oldest !== undefined) this.customStores.delete(oldest);
    }
    return made;
  }
}

export function fromStored(stored: CustomStorage): S3StorageConfig {
  return {
    endpointUrl: stored.endpoint_url,
    accessEndpointUrl: stored.access_endpoint_url || stored.endpoint_url,
    accessAddressingStyle: stored.access_addressing_style,
    accessKey: stored.access_key,
    secretKey: stored.secret_key,
    region: stored.region || 'us-east-1',
  };
}
