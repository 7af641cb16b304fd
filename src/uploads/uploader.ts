import type { Principal } from '../common/access/access.js';
import type { Org } from '../orgs/data/org.schema.js';

/** Who uploads, and into which org. */
export interface Uploader {
  readonly org: Org;
  readonly actor: Pick<Principal, 'id' | 'name'>;
}

/** The item made from an upload. */
export interface UploadAccepted {
  readonly id: string;
  readonly storageQuotaReached: boolean;
}
