import { Injectable, Logger } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import type { Principal } from '../common/access/access.js';
import { Clock } from '../common/clock/clock.js';
import { isDuplicateKey } from '../database/org-scoped.js';
import { BrowserDriver, type BrowserRecord, type CommitState } from '../drivers/browser-driver.js';
import { DomainEvents } from '../events/domain-events.js';
import type { StoredFile } from '../objects/data/stored-file.schema.js';
import { FileStaging, StagingLost } from '../objects/file-staging.js';
import type { Org } from '../orgs/data/org.schema.js';
import { OrgUsage } from '../orgs/org-usage.js';
import { fileNames } from '../storage/file-names.js';
import { launchOf } from './browser-labels.js';
import type { BrowserProfile } from './data/browser-profile.schema.js';
import { ProfilesRepository } from './data/profiles.repository.js';
import type { ProfileCreate, ProfileUpdate } from './dto/profiles.dto.js';
import { mergeOrigins, ProfileBrowsers, WAITING_FOR_BROWSER, type WaitingForBrowser } from './profile-browsers.js';
import { BrowserNotValid, NoSuchBrowser, ProfileNotFound } from './profiles.errors.js';

type Saved = Extract<CommitState, { state: 'saved' }>;

export const shownName = ({ name, email }: Pick<Principal, 'name' | 'email'>): string => name || email;

const fileOf = (org: Org, saved: Saved): StoredFile => ({
  filename: `${org._id}/${saved.key}`,
  hash: saved.hash,
  size: saved.size,
  storage: { name: org.storage.name, custom: org.storage.custom },
  replicas: [],
});

/**
 * Saves browsers as profiles. Clients repeat the call until it is done. If the answer was lost, another call is
 * answered from the saved profile. Contract: archive §8.
 */
@Injectable()
export class ProfileCommits {
  private readonly logger = new Logger('profiles');

  constructor(
    private readonly browsers: ProfileBrowsers,
    private readonly driver: BrowserDriver,
    private readonly profiles: ProfilesRepository,
    private readonly staging: FileStaging,
    private readonly usage: OrgUsage,
    private readonly events: DomainEvents,
    private readonly clock: Clock,
    private readonly trail: AuditTrail,
  ) {}

  /**
   * Saves the browser as a new profile.
   * @returns its id
   * @throws WriteRefused 403, NoSuchBrowser, BrowserNotValid
   */
  async create(org: Org, actor: Principal, input: ProfileCreate): Promise<WaitingForBrowser | { id: string }> {
    this.usage.assertCanWrite(org, { includeTime: false });
    const made = await this.profiles.findCommittedFrom(org._id, input.browserid);
    if (made) return { id: made._id };
    const record = await this.browsers.find(org._id, input.browserid);
    try {
      return await this.make(org, actor, input, record);
    } catch (error) {
      if (!(error instanceof StagingLost)) throw error;
      // Its file was deleted because nobody asked for long, and the browser would not write it again.
      await this.removeQuietly(record.browserId);
      throw new BrowserNotValid();
    }
  }

  private async make(
    org: Org,
    actor: Principal,
    input: ProfileCreate,
    record: BrowserRecord,
  ): Promise<WaitingForBrowser | { id: string }> {
    const { profileId } = launchOf(record);
    if (!(await this.expectFile(org, profileId))) return { id: profileId };
    const saved = await this.save(record.browserId, profileId);
    if (!saved) return WAITING_FOR_BROWSER;
    const profile = this.newProfile(org, actor, { input, record, saved });
    try {
      await this.events.transact(async (tx, tell) => {
        this.trail.about('profile', profileId);
        await this.profiles.insert(profile, tx);
        await this.staging.keepExpected(profileId, tx);
        await this.usage.addBytes(org._id, 'profile', saved.size, tx);
        tell('profile.fileChanged', { oid: org._id, profileId });
      });
    } catch (error) {
      // A parallel call made it.
      if (!isDuplicateKey(error)) throw error;
    }
    await this.removeQuietly(record.browserId);
    return { id: profileId };
  }

  /**
   * Saves the browser's state in an existing profile.
   * @throws WriteRefused 403, ProfileNotFound, NoSuchBrowser, BrowserNotValid
   */
  async update(org: Org, actor: Principal, profileId: string, input: ProfileUpdate): Promise<WaitingForBrowser | null> {
    this.usage.assertCanWrite(org, { includeTime: false });
    const stored = await this.profiles.find(org._id, profileId);
    if (!stored) throw new ProfileNotFound();
    const record = await this.driver.find(input.browserid);
    if (!record && stored.committedFrom === input.browserid) return null;
    if (record?.oid !== org._id) throw new NoSuchBrowser();
    const saved = await this.save(record.browserId, profileId);
    if (!saved) return WAITING_FOR_BROWSER;
    const fields = this.changedFields(org, actor, { input, record, saved, stored });
    const isThere = await this.events.transact(async (tx, tell) => {
      const before = await this.profiles.set(org._id, profileId, fields, tx);
      if (!before) return false;
      await this.usage.addBytes(org._id, 'profile', saved.size - (before.resource?.size ?? 0), tx);
      tell('profile.fileChanged', { oid: org._id, profileId });
      return true;
    });
    if (!isThere) throw new ProfileNotFound();
    await this.removeQuietly(record.browserId);
    return null;
  }

  /**
   * Call before each step that may write the file of a new profile. When nobody asks any more, the file is deleted.
   * @returns false when the profile exists by now
   */
  private async expectFile(org: Org, profileId: string): Promise<boolean> {
    const { name, custom } = org.storage;
    const file = { filename: fileNames.profile(profileId, org._id), storage: { name, custom } };
    return this.events.transact(async (tx) => {
      if (await this.profiles.find(org._id, profileId, tx)) return false;
      await this.staging.expect(org._id, profileId, file, tx);
      return true;
    });
  }

  /** @returns null while it is being saved */
  private async save(browserId: string, profileId: string): Promise<Saved | null> {
    const state = await this.driver.commit(browserId, profileId);
    switch (state.state) {
      case 'not_found':
        throw new NoSuchBrowser();
      case 'failed':
        this.logger.error({ event: 'profile_not_saved', browserId, profileId, reason: state.reason });
        throw new BrowserNotValid();
      case 'saving':
        return null;
      case 'saved':
        return state;
    }
  }

  private newProfile(
    org: Org,
    actor: Principal,
    { input, record, saved }: { input: ProfileCreate; record: BrowserRecord; saved: Saved },
  ): BrowserProfile {
    const launch = launchOf(record);
    const now = this.clock.timestamp();
    return {
      _id: launch.profileId,
      oid: org._id,
      name: input.name,
      description: input.description ?? '',
      userid: actor.id,
      origins: mergeOrigins([], saved.origins),
      resource: fileOf(org, saved),
      created: this.clock.creationTime(),
      createdBy: actor.id,
      createdByName: shownName(actor),
      modified: now,
      modifiedBy: actor.id,
      modifiedByName: shownName(actor),
      modifiedCrawlDate: null,
      modifiedCrawlId: null,
      modifiedCrawlCid: null,
      baseid: launch.baseProfileId,
      crawlerChannel: launch.crawlerChannel,
      proxyId: launch.proxyId,
      tags: input.tags ?? [],
      committedFrom: record.browserId,
    };
  }

  private changedFields(
    org: Org,
    actor: Principal,
    change: { input: ProfileUpdate; record: BrowserRecord; saved: Saved; stored: BrowserProfile },
  ): Partial<BrowserProfile> {
    const { input, record, saved, stored } = change;
    const launch = launchOf(record);
    // A browser that started from this profile adds its origins. Any other browser replaces them.
    const known = launch.baseProfileId === stored._id ? stored.origins : [];
    return {
      name: input.name,
      ...(input.description ? { description: input.description } : {}),
      ...(input.tags?.length ? { tags: input.tags } : {}),
      origins: mergeOrigins(known, saved.origins),
      resource: fileOf(org, saved),
      modified: this.clock.timestamp(),
      modifiedBy: actor.id,
      modifiedByName: shownName(actor),
      baseid: launch.baseProfileId,
      crawlerChannel: launch.crawlerChannel,
      proxyId: launch.proxyId,
      committedFrom: record.browserId,
    };
  }

  /** Ignores failures, because the browser ends by itself half a minute later. */
  private async removeQuietly(browserId: string): Promise<void> {
    try {
      await this.driver.remove(browserId);
    } catch (error) {
      this.logger.warn({ event: 'browser_not_removed', browserId, err: error });
    }
  }
}
