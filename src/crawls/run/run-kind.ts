import { Injectable, type OnModuleInit } from '@nestjs/common';
import { oneEach } from '../../common/discovery/by-name.js';
import { Discovered } from '../../common/discovery/discovered.js';
import { Mark } from '../../common/discovery/mark.js';
import type { Tx } from '../../database/unit-of-work.js';
import type { CrawlerPage, CrawlJobSpec } from '../../drivers/crawl-driver.types.js';
import type { RecordFact } from '../../events/domain-events.js';
import type { FinalState } from '../../items/data/item-state.facts.js';
import type { Item } from '../../items/data/item.schema.js';
import type { StoredCrawlStats } from '../../items/data/qa-run.schema.js';
import type { StoredFile } from '../../objects/data/stored-file.schema.js';
import type { Org } from '../../orgs/data/org.schema.js';
import { RUN_KINDS, type CrawlJob } from '../data/crawl-job.schema.js';

/** A run as its item shows it: the crawl's own fields, or those of its active QA run. */
export interface RunView {
  readonly state: string;
  readonly started: Date;
  readonly finished: Date | null;
  readonly stats: StoredCrawlStats | null;
  readonly files: readonly StoredFile[];
  readonly fileSize: number;
  /** The moment up to which execution time is counted; null before the first running moment. */
  readonly meteredUntil: Date | null;
}

export interface RunContext {
  readonly job: CrawlJob;
  readonly item: Item;
  readonly run: RunView;
  readonly org: Org;
}

export interface RunEnd extends RunContext {
  readonly state: FinalState;
  readonly finished: Date;
  /** The crawls that a crawler deduplicated against; null when the driver does not know the run any more. */
  readonly requiredCrawls: readonly string[] | null;
  /** The profile that it saved. */
  readonly profileUpload: { size: number; hash: string; modified: string } | null;
}

/** What differs between crawls and QA runs. The room of each kind implements it. */
export interface RunKind {
  /** Builds all that a driver needs, anew for each evaluation. */
  buildSpec(context: RunContext): Promise<CrawlJobSpec>;
  /** Stores a batch of pages. The same batch may come again. */
  ingestPages(job: CrawlJob, pages: readonly CrawlerPage[]): Promise<void>;
  /** Records the facts of the first running moment. */
  recordStarted(context: RunContext, record: RecordFact): void;
  /** Makes the reads that the end needs and that are too slow for a transaction. Null: there are none. */
  beforeEnd(end: RunEnd): Promise<Partial<Item> | null>;
  /** Makes the changes and facts of the end, in the transaction that sets the final state. */
  end(end: RunEnd, extra: Partial<Item> | null, tx: Tx, record: RecordFact): Promise<void>;
  /** Removes what is not kept of an unsuccessful run. It runs after the end, and may be repeated. */
  cleanUp(job: CrawlJob, item: Item | null, state: string | null): Promise<void>;
}

const KINDS = new Mark<CrawlJob['kind'], RunKind>();

/** Marks the class that implements this kind of run. */
export const RunsOfKind = (kind: CrawlJob['kind']): ReturnType<typeof KINDS.onClass> => KINDS.onClass(kind);

/** The implementations of the kinds of runs; the supervisor looks them up. */
@Injectable()
export class RunKinds implements OnModuleInit {
  private kinds: ReadonlyMap<CrawlJob['kind'], RunKind> = new Map();

  constructor(private readonly discovered: Discovered) {}

  /** @throws Error when no class knows a kind, or two do */
  onModuleInit(): void {
    this.kinds = oneEach('kind of runs', RUN_KINDS, this.discovered.with(KINDS));
  }

  of(kind: CrawlJob['kind']): RunKind {
    const found = this.kinds.get(kind);
    if (!found) throw new Error(`no room knows runs of kind ${kind}`);
    return found;
  }
}

/** The run of a job. Null when the item's QA run is not the job's. */
export function viewOf(job: CrawlJob, item: Item): RunView | null {
  if (job.kind === 'crawl') {
    const { state, started, finished, stats, files, fileSize } = item;
    return { state, started, finished, stats, files, fileSize, meteredUntil: item._lut ?? null };
  }
  const { qa } = item;
  if (qa?.id !== job._id) return null;
  const { state, started, finished, stats, files, fileSize } = qa;
  return { state, started, finished, stats, files, fileSize, meteredUntil: qa._lut ?? null };
}
