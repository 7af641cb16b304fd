import { Field } from '../../common/validation/model.js';
import { int } from '../../common/validation/scalars.js';
import { SharedPageOut } from './shared-page-out.dto.js';

export class PageOut extends SharedPageOut {
  /** HTTP status; 200 where the crawl noted none. */
  @Field(int(), { default: 200 }) status!: number;
}
