import { list, model } from '../../common/validation/composites.js';
import { int, str } from '../../common/validation/scalars.js';
import { PageIdTimestamp } from './page-id-timestamp.dto.js';
import { Field } from '../../common/validation/model.js';

export class PageUrlCount {
  @Field(str()) url!: string;
  @Field(int(), { default: 0 }) count!: number;
  @Field(list(model(() => PageIdTimestamp)), { default: [] }) snapshots!: PageIdTimestamp[];
}
