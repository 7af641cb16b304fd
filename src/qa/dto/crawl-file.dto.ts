import { list, model, nullable } from '../../common/validation/composites.js';
import { int, str } from '../../common/validation/scalars.js';
import { StorageRefOut } from '../../common/responses/storage-ref.dto.js';
import { Field } from '../../common/validation/model.js';

export class CrawlFile {
  @Field(str()) filename!: string;
  @Field(str()) hash!: string;
  @Field(int()) size!: number;
  @Field(model(() => StorageRefOut)) storage!: StorageRefOut;
  @Field(nullable(list(model(() => StorageRefOut))), { default: [] }) replicas!: StorageRefOut[] | null;
}
