import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { Tx } from '../../database/unit-of-work.js';
import { Org, type CustomStorage, type OrgStorageRef } from './org.schema.js';

/** Stores which storages orgs use and own. */
@Injectable()
export class OrgStoragesRepository {
  constructor(@InjectModel(Org.name) private readonly orgs: Model<Org>) {}

  /** Returns the names of default storages that some org uses, as primary storage or for replicas. */
  async defaultNamesInUse(): Promise<string[]> {
    const [primaries, replicas] = await Promise.all([
      this.orgs.distinct('storage.name', { 'storage.custom': { $ne: true } } as never).exec() as Promise<unknown[]>,
      this.orgs
        .aggregate<{ _id: string }>([
          { $unwind: '$storageReplicas' },
          { $match: { 'storageReplicas.custom': { $ne: true } } },
          { $group: { _id: '$storageReplicas.name' } },
        ])
        .exec(),
    ]);
    return [...new Set([...primaries.map(String), ...replicas.map(({ _id }) => _id)])].sort();
  }

  /**
   * Adds an org's own storage.
   * @param name a slug, because it becomes a field name
   * @returns false when the org has a storage of that name
   */
  async addCustom(oid: string, name: string, storage: CustomStorage, tx: Tx): Promise<boolean> {
    const field = `customStorages.${name}`;
    const filter = { _id: oid, [field]: { $exists: false } };
    const update = { $set: { [field]: storage } };
    return (await this.orgs.updateOne(filter, update, { session: tx }).exec()).matchedCount === 1;
  }

  /**
   * Removes an org's own storage.
   * @returns false when the storage is the org's primary or a replica storage, or is gone
   */
  async removeCustom(oid: string, name: string, tx: Tx): Promise<boolean> {
    const isThis = { name, custom: true };
    const filter = {
      _id: oid,
      [`customStorages.${name}`]: { $exists: true },
      $nor: [{ 'storage.name': name, 'storage.custom': true }, { storageReplicas: { $elemMatch: isThis } }],
    };
    const update = { $unset: { [`customStorages.${name}`]: '' } };
    const done = await this.orgs.updateOne(filter as never, update as never, { session: tx }).exec();
    return done.matchedCount === 1;
  }

  async setRefs(oid: string, storage: OrgStorageRef, storageReplicas: readonly OrgStorageRef[], tx: Tx): Promise<void> {
    const update = { $set: { storage, storageReplicas: [...storageReplicas] } };
    await this.orgs.updateOne({ _id: oid }, update, { session: tx }).exec();
  }
}
