import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { AppConfig } from '../config/app-config.js';
import { LocalObjectStore } from './local/local-object-store.js';
import { UrlSigner } from './sigv4.js';
import type { StorageRef } from './storage-ref.js';

/** Bytes that stay free on the disk. */
const RESERVE_BYTES = 1024 ** 3;

/** Folders under DATA_DIR that stand for storages, so that a rehearsal of a restore writes to no storage in use. */
export class ScratchStores {
  private readonly stores = new Map<string, LocalObjectStore>();

  constructor(private readonly config: Pick<AppConfig, 'dataDir' | 'storage'>) {}

  of({ name, custom }: StorageRef): LocalObjectStore {
    const folder = join(custom ? 'own' : 'shared', encodeURIComponent(name));
    const known = this.stores.get(folder);
    if (known) return known;
    const root = resolve(this.config.dataDir, 'scratch', folder);
    mkdirSync(join(root, '.tmp'), { recursive: true, mode: 0o700 });
    const secretKey = this.config.storage.urlSigningKey.reveal();
    const signer = new UrlSigner({ accessKey: 'muniment', secretKey, region: 'local' });
    const store = new LocalObjectStore({ root, signer, publicPath: '/data/', reserveBytes: RESERVE_BYTES });
    this.stores.set(folder, store);
    return store;
  }
}
