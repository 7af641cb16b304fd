import { StorageRefOut } from '../../common/responses/responses.dto.js';
import { Str, Int, ListOf, Nested, Bool, Uuid, ItemId, TimeText } from '../../common/validation/fields.js';
import { itemId } from '../../common/validation/formats.js';
import { AnyCrawlPath } from '../../crawls/dto/crawls.dto.js';
import { CrawlStats, CrawlFileOut } from '../../items/dto/items.dto.js';

export class CrawlFile {
  @Str() filename!: string;
  @Str() hash!: string;
  @Int() size!: number;
  @Nested(() => StorageRefOut) storage!: StorageRefOut;
  @ListOf(() => StorageRefOut, { nullable: true }) replicas: StorageRefOut[] | null = [];
}

export class DeleteQARunList {
  /** Ids of the QA runs. */
  @ListOf(itemId()) qa_run_ids!: string[];
}

export class DeletedCountResponse {
  /** Number of what was deleted. */
  @Int() deleted!: number;
}

export class QaCrawlPath extends AnyCrawlPath {
  @Uuid() oid!: string;
}

export class AnyQaRunPath extends AnyCrawlPath {
  @ItemId() qa_run_id!: string;
}

export class QaRunPath extends AnyQaRunPath {
  @Uuid() oid!: string;
}

/** Options for a sample instead of all pages. They are additions to the contract. */
export class QaStartQuery {
  /** Most pages to look at. */
  @Int({ min: 1, nullable: true, optional: true }) limit?: number | null;
  /** Only URLs that contain this text. */
  @Str({ min: 1, max: 2000, nullable: true, optional: true }) urlMatch?: string | null;
}

export class QaListQuery {
  /** True: successful runs only. */
  @Bool() skipFailed = false;
}

export class QaStatsQuery {
  /** Comma list of scores 0..1. */
  @Str() screenshotThresholds!: string;
  /** Comma list of scores 0..1. */
  @Str() textThresholds!: string;
}

export class QARunBucketStats {
  /** The least value of the bucket; `No data` for pages without one. */
  @Str() lowerBoundary!: string;
  /** Number of pages in the bucket. */
  @Int() count!: number;
}

export class QARunAggregateStatsOut {
  /** Numbers of pages by how alike their screenshots are. */
  @ListOf(() => QARunBucketStats) screenshotMatch!: QARunBucketStats[];
  /** Numbers of pages by how alike their texts are. */
  @ListOf(() => QARunBucketStats) textMatch!: QARunBucketStats[];
}

export class QARunOut {
  @Str() id!: string;
  @Str({ nullable: true }) userName: string | null = null;
  @TimeText() started!: string;
  @TimeText({ nullable: true }) finished: string | null = null;
  /** State of the run. */
  @Str() state!: string;
  /** Why the run waits, in words; null while it does not. Addition to the contract. */
  @Str({ nullable: true }) stateReason: string | null = null;
  @Int() crawlExecSeconds = 0;
  @Nested(() => CrawlStats) stats: CrawlStats = { found: 0, done: 0, size: 0, req_crawls: [] };
}

export class QARunWithResources {
  @Str() id!: string;
  @Uuid() userid!: string;
  @Str({ nullable: true }) userName: string | null = null;
  @TimeText() started!: string;
  @TimeText({ nullable: true }) finished: string | null = null;
  @Str() state!: string;
  @Int() crawlExecSeconds = 0;
  @Str({ nullable: true }) image: string | null = null;
  @Nested(() => CrawlStats, { nullable: true })
  stats: CrawlStats | null = { found: 0, done: 0, size: 0, req_crawls: [] };
  /** The run's files. */
  @ListOf(() => CrawlFile) files: CrawlFile[] = [];
  /** Bytes of the stored files. */
  @Int() fileSize = 0;
  @Int() fileCount = 0;
  @ListOf(() => CrawlFileOut, { nullable: true }) resources: CrawlFileOut[] | null = [];
}
