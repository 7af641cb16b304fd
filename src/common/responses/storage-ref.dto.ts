import { ComponentName } from '../openapi/returns.js';
import { Str, Bool } from '../validation/fields.js';

@ComponentName('StorageRef')
export class StorageRefOut {
  @Str() name!: string;
  @Bool({ nullable: true }) custom: boolean | null = false;
}
