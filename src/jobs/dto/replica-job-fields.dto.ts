import { model } from '../../common/validation/composites.js';
import { Field } from '../../common/validation/model.js';
import { str } from '../../common/validation/scalars.js';
import { StorageRefOut } from '../../common/responses/storage-ref.dto.js';
import type { Job } from '../data/job.schema.js';
import { JobFields } from './job-fields.dto.js';

/** What answers say of a job that works on a copy of an object. */
export class ReplicaJobFields extends JobFields {
  /** Key of the object. */
  @Field(str()) file_path!: string;
  /** What the object belongs to: a crawl, an upload, a profile. */
  @Field(str()) object_type!: string;
  @Field(str()) object_id!: string;
  @Field(model(() => StorageRefOut)) replica_storage!: StorageRefOut;
}

export const replicaOf = ({ file_path, object_type, object_id, replica_storage }: Job) => ({
  file_path: file_path ?? '',
  object_type: object_type ?? '',
  object_id: object_id ?? '',
  replica_storage: { name: replica_storage?.name ?? '', custom: replica_storage?.custom ?? false },
});
