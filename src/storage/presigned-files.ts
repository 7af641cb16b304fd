import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import type { PackageCheck } from '../common/package-check.js';
import { baseName } from '../common/text/base-name.js';
import { wireTime } from '../common/validation/date-time.js';
import { AppConfig } from '../config/app-config.js';
import { signedAt, signedNow } from './presign-window.js';
import { type StorageRef, storageRefToString } from './storage-ref.js';
import { type StorageOwner, Storages } from './storages.js';

/** What a file record must hold so that its file can be handed out; `CrawlFile` and `UserFile` records do. */
export interface PresignableFile {
  readonly filename: string;
  readonly hash: string;
  readonly size: number;
  readonly storage: StorageRef;
  readonly replicas?: readonly StorageRef[] | null;
  readonly originalFilename?: string | null;
  readonly verification?: PackageCheck | null;
}

/** Wire shape `CrawlFileOut`. Contract: archive.md §2.4. */
export interface PresignedResource {
  readonly name: string;
  readonly path: string;
  readonly hash: string;
  readonly size: number;
  readonly crawlId: string | null;
  readonly numReplicas: number;
  readonly expireAt: string | null;
  readonly fromDependency: boolean;
  /** What the client called the file; only uploaded files have it. */
  readonly originalFilename?: string;
  /** How the file was checked; only uploaded files have it. */
  readonly verification?: PackageCheck;
}

export interface ItemFiles {
  readonly itemId: string | null;
  readonly files: readonly PresignableFile[];
  /** True for items that the asked-for one depends on. */
  readonly fromDependency?: boolean;
}

/** How much of its lifetime a URL still has, at the least: `whole` is all of it, `shared` half. */
export type UrlLife = 'whole' | 'shared';

export interface PresignedUrl {
  /** The URL is relative in deployments that proxy the storage, and for the local store. */
  readonly url: string;
  readonly expireAt: Date;
}

/**
 * Download URLs of archived files. They are computed in process, without table or network. A URL stays the same until
 * its renewal.
 */
@Injectable()
export class PresignedFiles {
  private readonly logger = new Logger('storage');

  constructor(
    private readonly storages: Storages,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  /**
   * The `resources` of the items, in item order and within an item in file order.
   * @param life `shared`: URLs stay the same for a while, for answers that a player polls; `whole`: URLs are signed at
   *   this moment, for what is read later, such as webhook bodies
   */
  resources(owner: StorageOwner, items: readonly ItemFiles[], life: UrlLife = 'shared'): PresignedResource[] {
    return items.flatMap(({ itemId, files, fromDependency = false }) =>
      files.map((file) => this.resource(owner, file, { itemId, fromDependency, life })),
    );
  }

  /** @throws UnknownStorage */
  sign(
    owner: StorageOwner,
    file: Pick<PresignableFile, 'filename' | 'storage'>,
    life: UrlLife = 'shared',
  ): PresignedUrl {
    return this.signFor({ audience: 'public', life }, owner, file);
  }

  /** A URL on the endpoint that this service itself uses, for crawlers beside it. @throws UnknownStorage */
  signInternal(owner: StorageOwner, file: Pick<PresignableFile, 'filename' | 'storage'>): PresignedUrl {
    return this.signFor({ audience: 'internal', life: 'shared' }, owner, file);
  }

  /**
   * Absolute download URL: a relative one is completed with the request's origin (archive.md §2.4, user files).
   * @param origin `scheme://host` without trailing slash
   * @throws UnknownStorage
   */
  absoluteUrl(owner: StorageOwner, file: Pick<PresignableFile, 'filename' | 'storage'>, origin: string): string {
    const { url } = this.sign(owner, file);
    return url.startsWith('/') ? `${origin}${url}` : url;
  }

  private signFor(
    { audience, life }: { audience: 'public' | 'internal'; life: UrlLife },
    owner: StorageOwner,
    { filename, storage }: Pick<PresignableFile, 'filename' | 'storage'>,
  ): PresignedUrl {
    const expiresInSeconds = this.config.storage.presignSeconds;
    const now = this.clock.now();
    const cleared = owner.presignedClearedAt;
    const moment = life === 'whole' ? signedNow(now, cleared) : signedAt(filename, now, expiresInSeconds, cleared);
    const store = this.storages.resolve(owner, storage);
    const url = store.presignGet(filename, { signedAt: moment, expiresInSeconds, audience });
    return { url, expireAt: new Date(moment.getTime() + expiresInSeconds * 1000) };
  }

  private resource(
    owner: StorageOwner,
    file: PresignableFile,
    from: { itemId: string | null; fromDependency: boolean; life: UrlLife },
  ): PresignedResource {
    const signed = this.signIfKnown(owner, file, from.life);
    return {
      name: baseName(file.filename),
      path: signed?.url ?? '',
      hash: file.hash,
      size: file.size,
      crawlId: from.itemId,
      numReplicas: file.replicas?.length ?? 0,
      expireAt: signed ? wireTime(signed.expireAt) : null,
      fromDependency: from.fromDependency,
      ...(file.originalFilename ? { originalFilename: file.originalFilename } : {}),
      ...(file.verification ? { verification: file.verification } : {}),
    };
  }

  /** A file whose storage was taken out of the configuration must not make the item's other files unreachable. */
  private signIfKnown(owner: StorageOwner, file: PresignableFile, life: UrlLife): PresignedUrl | null {
    if (this.storages.isKnown(owner, file.storage)) return this.sign(owner, file, life);
    const storage = storageRefToString(file.storage);
    this.logger.error({ event: 'file_in_unknown_storage', oid: owner._id, file: file.filename, storage });
    return null;
  }
}
