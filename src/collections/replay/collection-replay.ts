import { Injectable } from '@nestjs/common';
import { OrgNotFound } from '../../common/errors/domain-error.js';
import { listsTag } from '../../common/http/entity-tags.js';
import type { Org } from '../../orgs/data/org.schema.js';
import { OrgsRepository } from '../../orgs/data/orgs.repository.js';
import { CollectionReader, found, openToAll } from '../collection-reader.js';
import type { Collection } from '../data/collection.schema.js';
import { CollectionsRepository } from '../data/collections.repository.js';
import type { CollOut } from '../dto/collections.dto.js';
import { ReplayTag, type ReplayChanges } from './replay-tag.js';

/** The part of a response that a conditional answer needs. */
export interface ConditionalResponse {
  set(name: string, value: string): unknown;
  status(code: number): unknown;
}

export interface ConditionalRequest {
  readonly origin: string;
  /** Value of `If-None-Match`. */
  readonly known: string | undefined;
  readonly response: ConditionalResponse;
}

/** Answers `replay.json` of collections, with 304 when the client has it already. */
@Injectable()
export class CollectionReplay {
  constructor(
    private readonly collections: CollectionsRepository,
    private readonly orgs: OrgsRepository,
    private readonly reader: CollectionReader,
    private readonly tags: ReplayTag,
  ) {}

  /** @returns undefined with status 304 @throws CollectionNotFound */
  async ofOrg(org: Org, collectionId: string, request: ConditionalRequest): Promise<CollOut | undefined> {
    const [changes, collection] = await Promise.all([
      this.tags.changes(org._id, collectionId),
      this.collections.find(org._id, collectionId),
    ]);
    return this.answer(org, { collection: found(collection), changes, isPublic: false }, request);
  }

  /** @returns undefined with status 304 @throws OrgNotFound, CollectionNotFound */
  async publicly(oid: string, collectionId: string, request: ConditionalRequest): Promise<CollOut | undefined> {
    const [changes, org, collection] = await Promise.all([
      this.tags.changes(oid, collectionId),
      this.orgs.findById(oid),
      this.collections.find(oid, collectionId),
    ]);
    if (!org) throw new OrgNotFound();
    return this.answer(org, { collection: openToAll(collection), changes, isPublic: true }, request);
  }

  private async answer(
    org: Org,
    { collection, changes, isPublic }: { collection: Collection; changes: ReplayChanges; isPublic: boolean },
    { origin, known, response }: ConditionalRequest,
  ): Promise<CollOut | undefined> {
    const tag = this.tags.of(org, collection, changes, { origin, isPublic });
    response.set('ETag', tag);
    response.set('Cache-Control', isPublic ? 'no-cache' : 'private, no-cache');
    if (listsTag(known, tag)) {
      response.status(304);
      return undefined;
    }
    return this.reader.replay(org, collection, { origin, isPublic });
  }
}
