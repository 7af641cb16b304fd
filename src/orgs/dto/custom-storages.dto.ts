import { StorageRefOut } from '../../common/responses/responses.dto.js';
import { withTrailingSlash } from '../../common/text/trailing-slash.js';
import { Of, Str, Bool, Uuid, OneOf, ListOf, Nested } from '../../common/validation/fields.js';
import { httpUrl } from '../../common/validation/formats.js';
import { demand, type Kind } from '../../common/validation/kind.js';
import { str } from '../../common/validation/scalars.js';
import { parseEndpoint } from '../../storage/s3/s3-location.js';

const isAddress = (url: string): boolean => {
  try {
    parseEndpoint(`${withTrailingSlash(url)}bucket/`);
    return true;
  } catch {
    return false;
  }
};

/** An address to which the bucket's name is appended. It has a scheme, a host and a path, and nothing else. */
function storeAddress(): Kind<string> {
  const url = httpUrl();
  const error = 'query, fragment, login or broken encoding in the address of a storage';
  const isPlain = demand('isStoreAddress', (value) => isAddress(value as string), {
    type: 'url_parsing',
    msg: `Input should be a valid URL, ${error}`,
    ctx: { error },
  });
  return { ...url, demands: [...url.demands, isPlain] };
}

/**
 * A bucket name that is one segment of a path and needs no encoding. S3's own rules are narrower, but those of
 * compatible stores are not.
 */
const bucketName = (): Kind<string> => str({ min: 1, max: 63, pattern: /^[A-Za-z0-9][A-Za-z0-9._-]*$/ });

export class CustomStoragePath {
  @Uuid() oid!: string;
  /** Name of the storage. */
  @Str({ min: 1 }) name!: string;
}

/** A storage that an org adds as its own. */
export class S3StorageIn {
  /** Kind of the storage. */
  @OneOf(['s3']) type = 's3' as const;
  /** The name is stored as its slug. */
  @Str({ min: 1, max: 80 }) name!: string;
  /** Access key of the storage. */
  @Str({ min: 1 }) access_key!: string;
  /** Secret key of the storage. */
  @Str({ min: 1 }) secret_key!: string;
  /** The address without the bucket. */
  @Of(storeAddress()) endpoint_url!: string;
  /** Name of the bucket, with a prefix if wanted. */
  @Of(bucketName()) bucket!: string;
  /** The address that clients get instead of the endpoint with its bucket. */
  @Of(storeAddress(), { nullable: true }) access_endpoint_url: string | null = null;
  /** Whether the bucket is part of the host or of the path. */
  @OneOf(['virtual', 'path']) access_addressing_style: 'virtual' | 'path' = 'virtual';
  /** Region of the storage; empty: the default. */
  @Str() region = '';
}

export class AddedStorage {
  @Bool() added!: boolean;
  @Str() name!: string;
}

export class DeletedStorage {
  @Bool() deleted!: boolean;
}

export class OrgStorageRefsIn {
  @Nested(() => StorageRefOut) storage!: StorageRefOut;
  /** Storages for copies. */
  @ListOf(() => StorageRefOut) storageReplicas: StorageRefOut[] = [];
}

export class OrgStorageRefs extends OrgStorageRefsIn {}
