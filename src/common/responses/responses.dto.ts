import { ApiSchema } from '@nestjs/swagger';
import { Str, Bool, Uuid, Int, ListOf } from '../validation/fields.js';

export class AddedResponseIdQuota {
  @Bool() added!: boolean;
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
  @Str() id!: string;
}

export class DeletedResponseQuota {
  @Bool() deleted!: boolean;
  @Bool() storageQuotaReached!: boolean;
}

export class DeletedResponse {
  @Bool() deleted!: boolean;
}

export class RemovedResponse {
  @Bool() removed!: boolean;
}

@ApiSchema({ name: 'StorageRef' })
export class StorageRefOut {
  @Str() name!: string;
  @Bool({ nullable: true }) custom: boolean | null = false;
}

export class SuccessResponseId {
  @Bool() success!: boolean;
  @Str({ nullable: true }) id: string | null = null;
}

export class SuccessResponse {
  @Bool() success!: boolean;
}

export class UpdatedResponse {
  @Bool() updated!: boolean;
}

export class TagCount {
  @Str() tag!: string;
  @Int() count!: number;
}

export class TagsResponse {
  @ListOf(() => TagCount) tags!: TagCount[];
}
