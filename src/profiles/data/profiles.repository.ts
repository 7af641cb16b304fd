import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model, UpdateQuery } from 'mongoose';
import { OrgScoped } from '../../database/org-scoped.js';
import type { Tx } from '../../database/unit-of-work.js';
import { BrowserProfile } from './browser-profile.schema.js';

/** Single profiles; `ProfilesQueries` has the lists. */
@Injectable()
export class ProfilesRepository {
  private readonly profiles: OrgScoped<BrowserProfile>;

  constructor(@InjectModel(BrowserProfile.name) model: Model<BrowserProfile>) {
    this.profiles = new OrgScoped(model);
  }

  async find(oid: string, profileId: string, tx?: Tx): Promise<BrowserProfile | null> {
    return this.profiles.findOne(oid, { _id: profileId }, { tx });
  }

  /** The profile whose present file was committed from this browser. */
  async findCommittedFrom(oid: string, browserId: string): Promise<BrowserProfile | null> {
    return this.profiles.findOne(oid, { committedFrom: browserId });
  }

  /** Names by id. Unknown ids are left out. */
  async namesOf(oid: string, profileIds: readonly string[]): Promise<Map<string, string>> {
    if (profileIds.length === 0) return new Map();
    const found = await this.profiles.find(
      oid,
      { _id: { $in: [...profileIds] } },
      { limit: profileIds.length, projection: { name: 1 } },
    );
    return new Map(found.map(({ _id, name }) => [_id, name]));
  }

  async insert(profile: BrowserProfile, tx?: Tx): Promise<void> {
    await this.profiles.insert(profile.oid, profile, { tx });
  }

  /** @returns the profile before the change, or null when there is none */
  async set(oid: string, profileId: string, fields: Partial<BrowserProfile>, tx?: Tx): Promise<BrowserProfile | null> {
    const update: UpdateQuery<BrowserProfile> = { $set: fields };
    return this.profiles.findOneAndUpdate(oid, { _id: profileId }, update, { returns: 'before', tx });
  }

  async delete(oid: string, profileId: string, tx?: Tx): Promise<BrowserProfile | null> {
    return this.profiles.findOneAndDelete(oid, { _id: profileId }, tx);
  }
}
