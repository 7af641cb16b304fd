import { list } from '../../common/validation/composites.js';
import { bool, str } from '../../common/validation/scalars.js';
import { Field } from '../../common/validation/model.js';

export class OrgProxies {
  @Field(bool()) allowSharedProxies!: boolean;
  @Field(list(str())) allowedProxies!: string[];
}
