import { nullable } from '../../common/validation/composites.js';
import { itemId, uuid } from '../../common/validation/formats.js';
import { Field } from '../../common/validation/model.js';
import { bool, int, str } from '../../common/validation/scalars.js';
import { AnyCrawlPath } from '../../crawls/dto/crawl-queries.dto.js';

export class QaCrawlPath extends AnyCrawlPath {
  @Field(uuid()) oid!: string;
}

export class AnyQaRunPath extends AnyCrawlPath {
  @Field(itemId()) qa_run_id!: string;
}

export class QaRunPath extends AnyQaRunPath {
  @Field(uuid()) oid!: string;
}

/** Additions to the contract: a sample instead of all pages. */
export class QaStartQuery {
  /** Pages to look at, at most. */
  @Field(nullable(int({ min: 1 })), { optional: true }) limit?: number | null;
  /** Text that the URLs to look at contain. */
  @Field(nullable(str({ min: 1, max: 2000 })), { optional: true }) urlMatch?: string | null;
}

export class QaListQuery {
  /** Successful runs only. */
  @Field(bool(), { default: false }) skipFailed!: boolean;
}

export class QaStatsQuery {
  /** Comma list of scores 0..1. */
  @Field(str()) screenshotThresholds!: string;
  /** Comma list of scores 0..1. */
  @Field(str()) textThresholds!: string;
}
