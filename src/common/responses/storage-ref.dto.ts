import { ComponentName } from '../openapi/returns.js';
import { nullable } from '../validation/composites.js';
import { bool, str } from '../validation/scalars.js';
import { Field } from '../validation/model.js';

@ComponentName('StorageRef')
export class StorageRefOut {
  @Field(str()) name!: string;
  @Field(nullable(bool()), { default: false }) custom!: boolean | null;
}
