import { parseEndpoint } from '../../storage/s3/s3-location.js';
import { StorageRefOut } from '../../common/responses/storage-ref.dto.js';
import { withTrailingSlash } from '../../common/text/trailing-slash.js';
import type { FieldType } from '../../common/validation/field-type.js';
import { refuse } from '../../common/validation/issue.js';
import { list, literal, model, nullable } from '../../common/validation/composites.js';
import { httpUrl, uuid } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';
import { bool, str } from '../../common/validation/scalars.js';

const isAddress = (url: string): boolean => {
  try {
    parseEndpoint(`${withTrailingSlash(url)}bucket/`);
    return true;
  } catch {
    return false;
  }
};

/** Where a bucket's name is appended: nothing but a scheme, a host and a path. */
function storeAddress(): FieldType<string> {
  const error = 'query, fragment, login or broken encoding in the address of a storage';
  return {
    ...httpUrl(),
    parse: (value) => {
      const url = httpUrl().parse(value);
      if (!url.ok || isAddress(url.value)) return url;
      return refuse('url_parsing', `Input should be a valid URL, ${error}`, value, { error });
    },
  };
}

/** One segment of a path that stays as it is: S3's own rules are narrower, those of its likes are not. */
const bucketName = (): FieldType<string> => str({ min: 1, max: 63, pattern: /^[A-Za-z0-9][A-Za-z0-9._-]*$/ });

export class CustomStoragePath {
  @Field(uuid()) oid!: string;
  @Field(str({ min: 1 })) name!: string;
}

/** A storage that an org brings along. */
export class S3StorageIn {
  @Field(literal('s3'), { default: 's3' }) type!: 's3';
  /** Kept as its slug. */
  @Field(str({ min: 1, max: 80 })) name!: string;
  @Field(str({ min: 1 })) access_key!: string;
  @Field(str({ min: 1 })) secret_key!: string;
  /** Without the bucket. */
  @Field(storeAddress()) endpoint_url!: string;
  @Field(bucketName()) bucket!: string;
  /** What clients are given instead of the endpoint with its bucket. */
  @Field(nullable(storeAddress()), { default: null }) access_endpoint_url!: string | null;
  @Field(literal('virtual', 'path'), { default: 'virtual' }) access_addressing_style!: 'virtual' | 'path';
  @Field(str(), { default: '' }) region!: string;
}

export class AddedStorage {
  @Field(bool()) added!: boolean;
  @Field(str()) name!: string;
}

export class DeletedStorage {
  @Field(bool()) deleted!: boolean;
}

export class OrgStorageRefsIn {
  @Field(model(() => StorageRefOut)) storage!: StorageRefOut;
  @Field(list(model(() => StorageRefOut)), { default: [] }) storageReplicas!: StorageRefOut[];
}
