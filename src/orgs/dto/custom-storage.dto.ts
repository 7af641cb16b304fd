import { StorageRef } from '../../common/responses/storage-ref.dto.js';
import { list, literal, model, nullable } from '../../common/validation/composites.js';
import { httpUrl, uuid } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';
import { bool, str } from '../../common/validation/scalars.js';

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
  @Field(httpUrl()) endpoint_url!: string;
  @Field(str({ min: 1, max: 63 })) bucket!: string;
  /** What clients are given instead of the endpoint with its bucket. */
  @Field(nullable(httpUrl()), { default: null }) access_endpoint_url!: string | null;
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
  @Field(model(() => StorageRef)) storage!: StorageRef;
  @Field(list(model(() => StorageRef)), { default: [] }) storageReplicas!: StorageRef[];
}
