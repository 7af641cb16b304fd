import { Injectable } from '@nestjs/common';
import type { Principal } from '../common/access/access.js';
import { Clock } from '../common/clock/clock.js';
import { checkSort, pageBounds, pageOf, type ListPage } from '../common/pagination/page.js';
import { wasSent } from '../common/validation/parse-model.js';
import type { CountedTag } from '../database/counts/tag-counts.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { FileRemover } from '../objects/file-remover.js';
import { OrgUsage } from '../orgs/org-usage.js';
import { WorkflowsReads } from '../workflows/data/workflows.reads.js';
import type { BrowserProfile } from './data/browser-profile.schema.js';
import { PROFILE_SORTS, ProfilesQueries } from './data/profiles.queries.js';
import { ProfilesRepository } from './data/profiles.repository.js';
import type { Profile, ProfileListQuery, ProfileUpdate } from './dto/profiles.dto.js';
import { toProfile } from './profile.presenter.js';
import { shownName } from './profile-commits.js';
import { ProfileInUse, ProfileNotFound } from './profiles.errors.js';

/** Lists, describes and deletes saved browser states. Contract: archive §8. */
@Injectable()
export class ProfilesService {
  constructor(
    private readonly profiles: ProfilesRepository,
    private readonly queries: ProfilesQueries,
    private readonly workflows: WorkflowsReads,
    private readonly remover: FileRemover,
    private readonly usage: OrgUsage,
    private readonly unitOfWork: UnitOfWork,
    private readonly clock: Clock,
  ) {}

  /** @throws InvalidSortBy, InvalidSortDirection */
  async list(oid: string, query: ProfileListQuery): Promise<ListPage<Profile>> {
    const sort = checkSort(PROFILE_SORTS, query.sortBy, query.sortDirection);
    const filter = {
      userId: query.userid,
      name: query.name,
      tags: query.tags,
      needsAllTags: query.tagMatch !== 'or',
    };
    const { total, items } = await this.queries.list(oid, filter, sort, pageBounds(query));
    const inUse = await this.workflows.profilesInUse(
      oid,
      items.map(({ _id }) => _id),
    );
    return pageOf(
      query,
      total,
      items.map((profile) => toProfile(profile, inUse.has(profile._id))),
    );
  }

  /** @throws ProfileNotFound */
  async get(oid: string, profileId: string): Promise<Profile> {
    const profile = await this.stored(oid, profileId);
    return toProfile(profile, await this.workflows.usesProfile(oid, profileId));
  }

  async tagCounts(oid: string): Promise<CountedTag[]> {
    return this.queries.tagCounts(oid);
  }

  /** Distinct names in their order. */
  async names(oid: string): Promise<string[]> {
    return this.queries.names(oid);
  }

  /** Changes name, description and tags; absent fields stay. @throws ProfileNotFound */
  async describe(oid: string, actor: Principal, profileId: string, input: ProfileUpdate): Promise<void> {
    const isThere = await this.profiles.set(oid, profileId, {
      name: input.name,
      ...(wasSent(input, 'description') ? { description: input.description ?? '' } : {}),
      ...(wasSent(input, 'tags') ? { tags: input.tags ?? [] } : {}),
      modified: this.clock.timestamp(),
      modifiedBy: actor.id,
      modifiedByName: shownName(actor),
    });
    if (!isThere) throw new ProfileNotFound();
  }

  /** @throws ProfileNotFound, ProfileInUse */
  async delete(oid: string, profileId: string): Promise<void> {
    await this.stored(oid, profileId);
    const { plan } = await this.unitOfWork.run(async (tx) => {
      if (await this.workflows.usesProfile(oid, profileId, tx)) throw new ProfileInUse();
      const profile = await this.profiles.delete(oid, profileId, tx);
      if (!profile) throw new ProfileNotFound();
      const { resource } = profile;
      await this.usage.addBytes(oid, 'profile', -(resource?.size ?? 0), tx);
      // A browser or a crawl that saves the profile may still be writing this file.
      const files = resource ? [{ ...resource, hash: '' }] : [];
      return { plan: await this.remover.plan(oid, files, tx, { type: 'profile', id: profileId }) };
    });
    await this.remover.deleteForNow(plan);
  }

  private async stored(oid: string, profileId: string): Promise<BrowserProfile> {
    const profile = await this.profiles.find(oid, profileId);
    if (!profile) throw new ProfileNotFound();
    return profile;
  }
}
