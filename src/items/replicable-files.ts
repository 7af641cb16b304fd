import { Injectable } from '@nestjs/common';
import { ProfilesRepository } from '../profiles/data/profiles.repository.js';
import type { StorageRef } from '../storage/storage-ref.js';
import { ItemsRepository } from './data/items.repository.js';
import type { StoredFile } from './data/stored-file.schema.js';

/** What has files that are copied to replica storages. */
export interface ReplicaOwner {
  readonly type: 'crawl' | 'upload' | 'profile';
  readonly id: string;
}

/** The files of items and profiles, for replica jobs. */
@Injectable()
export class ReplicableFiles {
  constructor(
    private readonly items: ItemsRepository,
    private readonly profiles: ProfilesRepository,
  ) {}

  /** Empty when the owner is gone or being deleted. */
  async of(oid: string, owner: ReplicaOwner): Promise<StoredFile[]> {
    if (owner.type === 'profile') {
      const profile = await this.profiles.find(oid, owner.id);
      return profile?.resource ? [profile.resource] : [];
    }
    const item = await this.items.findById(oid, owner.id, owner.type);
    return item && !item.deleted ? item.files : [];
  }

  /** @returns false when the file is gone meanwhile */
  async addReplica(oid: string, owner: ReplicaOwner, filename: string, storage: StorageRef): Promise<boolean> {
    return owner.type === 'profile'
      ? this.profiles.addReplica(oid, owner.id, filename, storage)
      : this.items.addReplica(oid, owner.id, filename, storage);
  }
}
