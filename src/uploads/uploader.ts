import type { Principal } from '../common/access/access.js';
import type { Org } from '../orgs/data/org.schema.js';

/** Who uploads, and where to. */
export interface Uploader {
  readonly org: Org;
  readonly actor: Pick<Principal, 'id' | 'name'>;
}

/** The item that an upload has become. */
export interface UploadAccepted {
  readonly id: string;
  readonly storageQuotaReached: boolean;
}
