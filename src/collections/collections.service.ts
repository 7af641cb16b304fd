import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../audit/audit-trail.js';
import { Clock } from '../common/clock/clock.js';
import { newId } from '../common/ids/uuid.js';
import { slugOfName } from '../common/text/slug.js';
import { wasSent } from '../common/validation/parse-model.js';
import { isDuplicateKey } from '../database/org-scoped.js';
import { DomainEvents } from '../events/domain-events.js';
import { CollectionMembers } from '../items/membership/collection-members.js';
import { CollectionNotFound } from '../items/membership/membership.errors.js';
import { PagesRepository } from '../pages/data/pages.repository.js';
import { PageNotFound } from '../pages/pages.errors.js';
import { CollectionNameTaken, CollectionSlugTaken } from './collections.errors.js';
import type { Collection } from './data/collection.schema.js';
import { CollectionsRepository } from './data/collections.repository.js';
import type { CollIn, CollectionAddRemove, UpdateColl } from './dto/collections.dto.js';
import { wholeSecond } from '../common/units/durations.js';
import { NoUpdateData } from '../orgs/orgs.errors.js';

/** Null empties these fields; for all other fields null means no change. */
const CLEARABLE = ['description', 'caption', 'defaultThumbnailName', 'thumbnailSource'] as const;
const REQUIRED = ['name', 'access', 'allowPublicDownload'] as const;
const KEYS = [...CLEARABLE, ...REQUIRED, 'slug', 'hasDedupeIndex'] as const;

/** Makes a slug from the name. A name of symbols only gives no slug, so the id is used. */
const slugFor = (name: string, collectionId: string): string => slugOfName(name) || collectionId;

/** The error code names the index that refused. When both would refuse, the database reports one of them. */
function taken(error: unknown): unknown {
  if (!isDuplicateKey(error)) return error;
  // For an insertion the driver tells the index in the message only.
  const isSlug = 'slug' in (error.keyPattern ?? {}) || / index: oid_1_slug_1/.test(error.message);
  return isSlug ? new CollectionSlugTaken() : new CollectionNameTaken();
}

function changedFields(update: UpdateColl, collectionId: string): Partial<Collection> {
  const fields: Record<string, unknown> = {};
  for (const key of CLEARABLE) if (wasSent(update, key)) fields[key] = update[key] ?? null;
  for (const key of REQUIRED) if (update[key] !== undefined && update[key] !== null) fields[key] = update[key];
  if (update.slug) fields['slug'] = update.slug;
  else if (update.name) fields['slug'] = slugFor(update.name, collectionId);
  return fields;
}

/** Changes collections. Contract: archive §7. */
@Injectable()
export class CollectionsService {
  constructor(
    private readonly collections: CollectionsRepository,
    private readonly members: CollectionMembers,
    private readonly pages: PagesRepository,
    private readonly events: DomainEvents,
    private readonly clock: Clock,
    private readonly trail: AuditTrail,
  ) {}

  /** @throws InvalidFailedOrUnfinishedCrawl, CollectionNameTaken, CollectionSlugTaken; then nothing is stored */
  async create(oid: string, input: CollIn): Promise<{ id: string; name: string }> {
    const id = newId();
    const created = this.clock.creationTime();
    const slug = input.slug ?? slugFor(input.name, id);
    const { name, description = null, caption = null, access, defaultThumbnailName = null } = input;
    const { allowPublicDownload } = input;
    const fields = { name, slug, description, caption, access, defaultThumbnailName, allowPublicDownload };
    await this.written(() =>
      this.events.transact(async (tx, record) => {
        this.trail.about('collection', id);
        await this.members.add({ oid, collectionId: id, itemIds: input.crawlIds ?? [] }, { tx, record });
        await this.collections.forgetPreviousSlug(oid, slug, tx);
        await this.collections.insert(
          oid,
          { _id: id, ...fields, created, modified: wholeSecond(created) } as Collection,
          tx,
        );
      }),
    );
    return { id, name };
  }

  /** @throws NoUpdateData, CollectionNotFound, CollectionNameTaken, CollectionSlugTaken */
  async update(oid: string, collectionId: string, update: UpdateColl): Promise<void> {
    if (!KEYS.some((key) => wasSent(update, key))) throw new NoUpdateData();
    const fields = { ...changedFields(update, collectionId), modified: this.clock.timestamp() };
    await this.written(() =>
      this.events.transact(async (tx) => {
        const before = await this.collections.change(oid, collectionId, fields, { tx });
        if (!before) throw new CollectionNotFound();
        if (fields.slug === undefined || fields.slug === before.slug) return;
        await this.collections.forgetPreviousSlug(oid, fields.slug, tx);
        await this.collections.rememberSlug(oid, collectionId, before.slug, tx);
      }),
    );
  }

  /** @throws InvalidFailedOrUnfinishedCrawl first, then CollectionNotFound */
  async add(oid: string, collectionId: string, { crawlIds, crawlconfigIds }: CollectionAddRemove): Promise<void> {
    await this.events.transact(async (tx, record) => {
      const change = { oid, collectionId, itemIds: crawlIds, cids: crawlconfigIds };
      await this.members.add(change, { tx, record });
      if (!(await this.collections.touch(oid, collectionId, this.clock.timestamp(), tx)))
        throw new CollectionNotFound();
    });
  }

  /** @throws CollectionNotFound */
  async remove(oid: string, collectionId: string, { crawlIds, crawlconfigIds }: CollectionAddRemove): Promise<void> {
    await this.events.transact(async (tx, record) => {
      if (!(await this.collections.touch(oid, collectionId, this.clock.timestamp(), tx)))
        throw new CollectionNotFound();
      const change = { oid, collectionId, itemIds: crawlIds, cids: crawlconfigIds };
      await this.members.remove(change, { tx, record });
    });
  }

  /** @param pageId null removes the home page @throws PageNotFound, CollectionNotFound */
  async setHome(oid: string, collectionId: string, pageId: string | null): Promise<void> {
    const page = pageId === null ? null : await this.pages.findById(oid, pageId);
    if (pageId !== null && !page) throw new PageNotFound();
    const home = { homeUrl: page?.url ?? null, homeUrlTs: page?.ts ?? null, homeUrlPageId: page?._id ?? null };
    if (!(await this.collections.set(oid, collectionId, home))) throw new CollectionNotFound();
  }

  private async written(write: () => Promise<void>): Promise<void> {
    try {
      await write();
    } catch (error) {
      throw taken(error);
    }
  }
}
