import { Str, Int, ListOf, Nested } from '../../common/validation/fields.js';
import { StorageRefOut } from '../../common/responses/storage-ref.dto.js';

export class ProfileFile {
  @Str() filename!: string;
  @Str() hash!: string;
  @Int() size!: number;
  @Nested(() => StorageRefOut) storage!: StorageRefOut;
  @ListOf(() => StorageRefOut, { nullable: true }) replicas: StorageRefOut[] | null = [];
}
