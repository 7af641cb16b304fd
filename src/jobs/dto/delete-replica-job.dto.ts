import { list, literal, mapOf, model, nullable } from '../../common/validation/composites.js';
import { dateTime, uuid } from '../../common/validation/formats.js';
import { bool, str } from '../../common/validation/scalars.js';
import { StorageRef } from '../../common/responses/storage-ref.dto.js';
import { Field } from '../../common/validation/model.js';

export class DeleteReplicaJob {
  @Field(str()) id!: string;
  @Field(literal('delete-replica'), { default: 'delete-replica' }) type!: 'delete-replica';
  @Field(nullable(uuid()), { default: null }) oid!: string | null;
  @Field(nullable(bool()), { default: null }) success!: boolean | null;
  @Field(dateTime()) started!: string;
  @Field(nullable(dateTime()), { default: null }) finished!: string | null;
  @Field(nullable(list(mapOf(nullable(dateTime())))), { default: null }) previousAttempts!:
    Record<string, string | null>[] | null;
  @Field(str()) file_path!: string;
  @Field(str()) object_type!: string;
  @Field(str()) object_id!: string;
  @Field(model(() => StorageRef)) replica_storage!: StorageRef;
  @Field(nullable(str()), { default: null }) schedule!: string | null;
}
