import { ApiSchema } from '@nestjs/swagger';
import { Str, Bool, Uuid, Int, ListOf } from '../validation/fields.js';
import { str } from '../validation/scalars.js';

export class AddedResponseIdQuota {
  @Bool() added!: boolean;
  /** Id of the item. */
  @Str() id!: string;
  @Bool() storageQuotaReached!: boolean;
}

export class AddedResponseId {
  @Bool() added!: boolean;
  @Uuid() id!: string;
}

export class AddedResponse {
  @Bool() added!: boolean;
}

export class DeletedResponseId {
  @Bool() deleted!: boolean;
  /** Id of what was deleted. */
  @Str() id!: string;
}

export class DeletedResponseQuota {
  @Bool() deleted!: boolean;
  @Bool() storageQuotaReached!: boolean;
  /** After a takedown (`retain: false`): the items that refer to the files which are gone. This field is ours. */
  @ListOf(str(), { optional: true }) brokenItems?: string[];
}

export class DeletedResponse {
  @Bool() deleted!: boolean;
}

export class RemovedResponse {
  @Bool() removed!: boolean;
}

@ApiSchema({ name: 'StorageRef' })
export class StorageRefOut {
  /** Name of the storage. */
  @Str() name!: string;
  /** Whether the org brought the storage itself. */
  @Bool({ nullable: true }) custom: boolean | null = false;
}

export class SuccessResponseId {
  @Bool() success!: boolean;
  /** Id of the job that was started. */
  @Str({ nullable: true }) id: string | null = null;
}

export class SuccessResponse {
  @Bool() success!: boolean;
}

export class UpdatedResponse {
  @Bool() updated!: boolean;
}

export class TagCount {
  /** The tag. */
  @Str() tag!: string;
  /** Number of items that have the tag. */
  @Int() count!: number;
}

export class TagsResponse {
  @ListOf(() => TagCount) tags!: TagCount[];
}
