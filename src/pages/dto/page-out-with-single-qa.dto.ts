import { model, nullable } from '../../common/validation/composites.js';
import { Field } from '../../common/validation/model.js';
import { int } from '../../common/validation/scalars.js';
import { PageQACompare } from './page-qa-compare.dto.js';
import { SharedPageOut } from './shared-page-out.dto.js';

/** A page with what one QA run found. */
export class PageOutWithSingleQA extends SharedPageOut {
  /** HTTP status; null where the crawl noted none. */
  @Field(nullable(int()), { default: null }) status!: number | null;
  /** Null where the run has nothing on the page. */
  @Field(nullable(model(() => PageQACompare)), { default: null }) qa!: PageQACompare | null;
}
