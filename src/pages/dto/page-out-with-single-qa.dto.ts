import { Int, Nested } from '../../common/validation/fields.js';
import { PageQACompare } from './page-qa-compare.dto.js';
import { SharedPageOut } from './shared-page-out.dto.js';

/** A page with what one QA run found. */
export class PageOutWithSingleQA extends SharedPageOut {
  /** HTTP status; null where the crawl noted none. */
  @Int({ nullable: true }) status: number | null = null;
  /** Null where the run has nothing on the page. */
  @Nested(() => PageQACompare, { nullable: true }) qa: PageQACompare | null = null;
}
