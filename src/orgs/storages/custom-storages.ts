import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/audit-trail.js';
import { own } from '../../common/objects/own.js';
import { slugify } from '../../common/text/slug.js';
import { withTrailingSlash } from '../../common/text/trailing-slash.js';
import { FileOwners } from '../../objects/data/file-owners.js';
import { StorageError } from '../../storage/storage.errors.js';
import { Storages } from '../../storage/storages.js';
import { NoSuchStorage, StorageAlreadyExists, StorageInUse, StorageNotVerified } from './custom-storages.errors.js';
import { OrgStoragesRepository } from '../data/org-storages.repository.js';
import type { CustomStorage, Org, OrgStorageRef } from '../data/org.schema.js';
import type { OrgStorageRefsIn, S3StorageIn } from '../dto/custom-storages.dto.js';
import { InvalidStorageRef } from '../archive/archive.errors.js';
import { OrgSettingChanges } from '../org-setting-changes.js';

/** Key of the empty object that a check stores. Contract: archive.md §2.2, "Verify". */
const VERIFY_KEY = '.btrix-upload-verify';

/** Adds, removes and selects orgs' own storages. Contract: archive.md §2.5. */
@Injectable()
export class CustomStorages {
  constructor(
    private readonly storages: Storages,
    private readonly orgs: OrgStoragesRepository,
    private readonly files: FileOwners,
    private readonly changes: OrgSettingChanges,
    private readonly trail: AuditTrail,
  ) {}

  /** Adds a storage. @returns the name to show @throws StorageAlreadyExists, StorageNotVerified */
  async add(org: Org, input: S3StorageIn): Promise<string> {
    const name = slugify(input.name);
    if (name === '' || own(org.customStorages, name)) throw new StorageAlreadyExists();
    const storage = toStored(input);
    await this.verify(name, storage);
    const isAdded = await this.changes.run(org._id, async (tx) => {
      this.trail.changed('customStorages', null, name);
      return this.orgs.addCustom(org._id, name, storage, tx);
    });
    if (!isAdded) throw new StorageAlreadyExists();
    return `!${name}`;
  }

  /**
   * Removes a storage.
   * @throws NoSuchStorage; StorageInUse as long as the org uses the storage, has files in it, or has crawls or QA runs
   *   that write there
   */
  async remove(org: Org, shownName: string): Promise<void> {
    const name = shownName.replace(/^!/, '');
    if (!own(org.customStorages, name)) throw new NoSuchStorage();
    if (await this.files.isStorageInUse(org._id, name)) throw new StorageInUse();
    const isRemoved = await this.changes.run(org._id, async (tx) => {
      this.trail.changed('customStorages', name, null);
      return this.orgs.removeCustom(org._id, name, tx);
    });
    if (!isRemoved) throw new StorageInUse();
  }

  /** Sets the storages of new files. Existing files stay where they are. @throws InvalidStorageRef */
  async use(org: Org, { storage, storageReplicas }: OrgStorageRefsIn): Promise<void> {
    const [primary, ...replicas] = [storage, ...storageReplicas].map(({ name, custom }): OrgStorageRef => ({
      name,
      custom: custom ?? false,
    }));
    if (!primary || ![primary, ...replicas].every((ref) => this.storages.isKnown(org, ref))) {
      throw new InvalidStorageRef();
    }
    await this.changes.run(org._id, (tx) => this.orgs.setRefs(org._id, primary, replicas, tx));
  }

  private async verify(name: string, storage: CustomStorage): Promise<void> {
    try {
      const store = this.storages.resolve({ customStorages: { [name]: storage } }, { name, custom: true });
      await store.put(VERIFY_KEY, Buffer.alloc(0));
    } catch (error) {
      if (error instanceof StorageError) throw new StorageNotVerified(error.message, { cause: error });
      throw error;
    }
  }
}

/** Turns the input into its stored form. Without an access endpoint, clients use the endpoint with its bucket. */
function toStored(input: S3StorageIn): CustomStorage {
  const base = withTrailingSlash(input.endpoint_url);
  const endpoint = `${base}${input.bucket}/`;
  return {
    type: 's3',
    endpoint_url: endpoint,
    endpoint_no_bucket_url: base,
    access_key: input.access_key,
    secret_key: input.secret_key,
    access_endpoint_url: input.access_endpoint_url ? withTrailingSlash(input.access_endpoint_url) : endpoint,
    access_addressing_style: input.access_addressing_style,
    region: input.region,
  };
}
