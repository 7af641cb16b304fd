import { Injectable } from '@nestjs/common';
import { JwtService } from '@nestjs/jwt';
import { Clock } from '../common/clock/clock.js';
import { canonicalUuid } from '../common/ids/uuid.js';
import { AppConfig } from '../config/app-config.js';
import { OrgsRepository } from '../orgs/data/orgs.repository.js';
import { PresignedFiles, type PresignedResource } from '../storage/presigned-files.js';
import { AccessDenied } from './collections.errors.js';
import { CollectionReader } from './collection-reader.js';
import { CollectionsQueries } from './data/collections.queries.js';
import { CollectionsRepository } from './data/collections.repository.js';

/** Audience of tokens for jobs inside the deployment (accounts §2.1). */
const AUDIENCE = 'btrix:custom-auth';

interface JobClaims {
  sub?: unknown;
  sub_type?: unknown;
}

/** A collection's files for jobs inside the deployment, opened by a token for that one collection. */
@Injectable()
export class InternalReplay {
  private readonly jwt = new JwtService();

  constructor(
    private readonly collections: CollectionsRepository,
    private readonly queries: CollectionsQueries,
    private readonly orgs: OrgsRepository,
    private readonly reader: CollectionReader,
    private readonly presigned: PresignedFiles,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  /** URLs are on the endpoints that the service itself uses. @throws AccessDenied for whatever is wrong */
  async resources(oid: string, collectionId: string, token: string | null): Promise<PresignedResource[]> {
    if (token === null || !(await this.opens(token, collectionId))) throw new AccessDenied();
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

  private async opens(token: string, collectionId: string): Promise<boolean> {
    try {
      const claims = await this.jwt.verifyAsync<JobClaims>(token, {
        secret: this.config.auth.passwordSecret.reveal(),
        algorithms: ['HS256'],
        audience: AUDIENCE,
        clockTimestamp: Math.floor(this.clock.nowMs() / 1000),
      });
      const subject = typeof claims.sub === 'string' ? canonicalUuid(claims.sub) : null;
      return subject === collectionId && claims.sub_type === 'coll';
    } catch {
      // Signature, form, expiry or audience: none of them opens anything.
      return false;
    }
  }
}
