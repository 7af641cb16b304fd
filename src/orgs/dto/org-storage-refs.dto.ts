import { list, model } from '../../common/validation/composites.js';
import { StorageRef } from '../../common/responses/storage-ref.dto.js';
import { Field } from '../../common/validation/model.js';

export class OrgStorageRefs {
  @Field(model(() => StorageRef)) storage!: StorageRef;
  @Field(list(model(() => StorageRef)), { default: [] }) storageReplicas!: StorageRef[];
}
