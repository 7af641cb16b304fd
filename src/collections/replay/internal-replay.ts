import { Injectable } from '@nestjs/common';
import { Tokens } from '../../auth/tokens.js';
import { OrgsRepository } from '../../orgs/data/orgs.repository.js';
import { PresignedFiles, type PresignedResource } from '../../storage/presigned-files.js';
import { AccessDenied } from '../collections.errors.js';
import { CollectionReader } from '../collection-reader.js';
import { CollectionsQueries } from '../data/collections.queries.js';
import { CollectionsRepository } from '../data/collections.repository.js';

/** Gives jobs inside the deployment a collection's files. A token opens one collection. */
@Injectable()
export class InternalReplay {
  constructor(
    private readonly collections: CollectionsRepository,
    private readonly queries: CollectionsQueries,
    private readonly orgs: OrgsRepository,
    private readonly reader: CollectionReader,
    private readonly presigned: PresignedFiles,
    private readonly tokens: Tokens,
  ) {}

  /** The URLs use the service's own endpoints of the storage. @throws AccessDenied for every fault */
  async resources(oid: string, collectionId: string, token: string | null): Promise<PresignedResource[]> {
    if (token === null || (await this.tokens.readCollectionJob(token)) !== collectionId) throw new AccessDenied();
    const [org, collection] = await Promise.all([this.orgs.findById(oid), this.collections.find(oid, collectionId)]);
    if (!org || !collection) throw new AccessDenied();
    const members = await this.queries.members(oid, collectionId);
    const files = members.flatMap((item) => item.files);
    return this.reader.resources(org, members).map((resource, index) => {
      const file = files[index];
      return file && resource.expireAt !== null
        ? { ...resource, path: this.presigned.signInternal(org, file).url }
        : resource;
    });
  }
}
