import { Injectable } from '@nestjs/common';
import type { Principal } from '../common/access/access.js';
import type { AddedResponseIdQuota, UpdatedResponse } from '../common/responses/responses.dto.js';
import type { Org } from '../orgs/data/org.schema.js';
import { OrgUsage } from '../orgs/org-usage.js';
import type { ProfileCreate, ProfileUpdate, SuccessResponseStorageQuota } from './dto/profiles.dto.js';
import type { WaitingForBrowser } from './profile-browsers.js';
import { ProfileCommits } from './profile-commits.js';
import { ProfilesService } from './profiles.service.js';

/** Writes profiles and adds quota notices to the answers. */
@Injectable()
export class ProfileChanges {
  constructor(
    private readonly commits: ProfileCommits,
    private readonly profiles: ProfilesService,
    private readonly usage: OrgUsage,
  ) {}

  /** @throws as `ProfileCommits.create` */
  async create(org: Org, actor: Principal, input: ProfileCreate): Promise<AddedResponseIdQuota | WaitingForBrowser> {
    const made = await this.commits.create(org, actor, input);
    if ('detail' in made) return made;
    const { storageQuotaReached } = await this.usage.quotaFlags(org._id);
    return { added: true, id: made.id, storageQuotaReached };
  }

  /** @throws as `ProfileCommits.update` with a browser, as `ProfilesService.describe` without */
  async update(
    org: Org,
    actor: Principal,
    profileId: string,
    input: ProfileUpdate,
  ): Promise<UpdatedResponse | WaitingForBrowser> {
    if (!input.browserid) {
      await this.profiles.describe(org._id, actor, profileId, input);
      return { updated: true };
    }
    return (await this.commits.update(org, actor, profileId, input)) ?? { updated: true };
  }

  /** @throws as `ProfilesService.delete` */
  async delete(oid: string, profileId: string): Promise<SuccessResponseStorageQuota> {
    await this.profiles.delete(oid, profileId);
    const { storageQuotaReached } = await this.usage.quotaFlags(oid);
    return { success: true, storageQuotaReached };
  }
}
