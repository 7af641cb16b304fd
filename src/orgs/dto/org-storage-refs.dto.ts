import { list, model } from '../../common/validation/composites.js';
import { StorageRefOut } from '../../common/responses/storage-ref.dto.js';
import { Field } from '../../common/validation/model.js';

export class OrgStorageRefs {
  @Field(model(() => StorageRefOut)) storage!: StorageRefOut;
  @Field(list(model(() => StorageRefOut)), { default: [] }) storageReplicas!: StorageRefOut[];
}
