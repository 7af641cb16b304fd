import { Str, Int, Bool, Uuid, ItemId } from '../../common/validation/fields.js';
import { AnyCrawlPath } from '../../crawls/dto/crawl-queries.dto.js';

export class QaCrawlPath extends AnyCrawlPath {
  @Uuid() oid!: string;
}

export class AnyQaRunPath extends AnyCrawlPath {
  @ItemId() qa_run_id!: string;
}

export class QaRunPath extends AnyQaRunPath {
  @Uuid() oid!: string;
}

/** Additions to the contract: a sample instead of all pages. */
export class QaStartQuery {
  /** Pages to look at, at most. */
  @Int({ min: 1, nullable: true, optional: true }) limit?: number | null;
  /** Text that the URLs to look at contain. */
  @Str({ min: 1, max: 2000, nullable: true, optional: true }) urlMatch?: string | null;
}

export class QaListQuery {
  /** Successful runs only. */
  @Bool() skipFailed = false;
}

export class QaStatsQuery {
  /** Comma list of scores 0..1. */
  @Str() screenshotThresholds!: string;
  /** Comma list of scores 0..1. */
  @Str() textThresholds!: string;
}
