import { ListOf, Nested } from '../../common/validation/fields.js';
import { StorageRefOut } from '../../common/responses/storage-ref.dto.js';

export class OrgStorageRefs {
  @Nested(() => StorageRefOut) storage!: StorageRefOut;
  @ListOf(() => StorageRefOut) storageReplicas: StorageRefOut[] = [];
}
