import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import type { PageBounds, SortDirection } from '../../common/pagination/page.js';
import { isDuplicateKey, OrgScoped } from '../../database/org-scoped.js';
import { decode } from '../../database/uuid-codec.js';
import { CrawlLog } from './crawl-log.schema.js';

/** Which lines of a crawl a list shows. */
export type LogKind = 'errors' | 'behaviors';

const KINDS = ['errors', 'behaviors'] as const;
const NUMBER = { errors: 'errorNo', behaviors: 'behaviorNo' } as const;
const VALUES = {
  errors: { field: 'logLevel', among: ['error', 'fatal'] },
  behaviors: { field: 'context', among: ['behavior', 'behaviorScript', 'behaviorScriptCustom'] },
} as const;
const FILTERS = {
  errors: { logLevel: { $in: [...VALUES.errors.among] } },
  behaviors: { context: { $in: [...VALUES.behaviors.among] } },
};

const isOf = (kind: LogKind, line: CrawlLog): boolean =>
  (VALUES[kind].among as readonly string[]).includes(line[VALUES[kind].field]);

/** Tries of an insert. A run has one writer at a time. A writer that lost the run may cross with the next one, once. */
const MAX_TRIES = 5;

export interface LogSort {
  readonly field: string;
  readonly direction: SortDirection;
}

type RunOfLines = Pick<CrawlLog, 'oid' | 'crawlId' | 'qaRunId'>;

/**
 * Log lines of crawlers. Lists are paged by the numbers that lines get when they are stored, in their order of arrival.
 * That is the order of their time, except where lines of several instances cross. Lines taken over from the reference
 * have no numbers, and are listed by their time.
 */
@Injectable()
export class CrawlLogsRepository {
  private readonly logs: OrgScoped<CrawlLog>;

  constructor(@InjectModel(CrawlLog.name) private readonly model: Model<CrawlLog>) {
    this.logs = new OrgScoped(model);
  }

  /** Stores lines of one run. Lines whose id is already stored are left as they are. */
  async insertNew(lines: readonly CrawlLog[]): Promise<void> {
    const [run] = lines;
    if (!run) return;
    for (let tries = 1; ; tries++) {
      try {
        await this.model.insertMany(await this.numbered(run, await this.unknown(lines)), { ordered: true });
        return;
      } catch (error) {
        if (!isDuplicateKey(error) || tries >= MAX_TRIES) throw error;
      }
    }
  }

  /** Lists lines of the crawl itself, not of its QA runs. */
  async list(
    oid: string,
    crawlId: string,
    kind: LogKind,
    at: { bounds: PageBounds; sort: LogSort },
  ): Promise<{ total: number; lines: CrawlLog[] }> {
    const run = { oid, crawlId, qaRunId: null };
    const filter = { crawlId, qaRunId: null, ...FILTERS[kind] };
    const { field, direction } = at.sort;
    const last = await this.lastNumber(run, kind);
    const total = last === null ? await this.logs.total(oid, filter, {}) : last + 1;
    if (last === null || field !== 'timestamp') {
      const lines = await this.logs.find(oid, filter, { ...at.bounds, sort: { [field]: direction } });
      return { total, lines };
    }
    const { skip, limit } = at.bounds;
    const number = NUMBER[kind];
    const from = direction === 1 ? skip : Math.max(0, total - skip - limit);
    const until = direction === 1 ? skip + limit : total - skip;
    const lines = await this.logs.find(
      oid,
      { crawlId, qaRunId: null, [number]: { $gte: from, $lt: until } },
      { limit, sort: { [number]: direction } },
    );
    return { total, lines };
  }

  /** Deletes all lines of a crawl, those of its QA runs too. */
  async deleteOf(oid: string, crawlId: string): Promise<number> {
    return this.logs.deleteMany(oid, { crawlId });
  }

  async deleteOfQaRun(oid: string, crawlId: string, qaRunId: string): Promise<number> {
    return this.logs.deleteMany(oid, { crawlId, qaRunId });
  }

  private async unknown(lines: readonly CrawlLog[]): Promise<CrawlLog[]> {
    const byId = new Map(lines.map((line) => [line._id, line]));
    const filter = { _id: { $in: [...byId.keys()] } };
    const stored = decode(await this.model.find(filter, { _id: 1 }).lean().exec()) as { _id: string }[];
    for (const { _id } of stored) byId.delete(_id);
    return [...byId.values()];
  }

  private async numbered(run: RunOfLines, lines: readonly CrawlLog[]): Promise<CrawlLog[]> {
    const given = lines.map((line) => ({ ...line }));
    given.sort((a, b) => a.timestamp.getTime() - b.timestamp.getTime());
    for (const kind of KINDS) {
      const mine = given.filter((line) => isOf(kind, line));
      if (mine.length === 0) continue;
      const last = await this.lastNumber(run, kind);
      // Another writer's first numbered line may have come since. Only lines without a number make this a run of the
      // reference.
      if (last === null && (await this.hasUnnumbered(run, kind))) continue;
      mine.forEach((line, i) => (line[NUMBER[kind]] = (last ?? -1) + 1 + i));
    }
    return given;
  }

  /** The last number of the kind. Null when the run has no numbered lines of the kind. */
  private async lastNumber({ oid, crawlId, qaRunId }: RunOfLines, kind: LogKind): Promise<number | null> {
    const number = NUMBER[kind];
    const filter = { crawlId, qaRunId, [number]: { $gte: 0 } };
    const [line] = await this.logs.find(oid, filter, { limit: 1, sort: { [number]: -1 }, projection: { [number]: 1 } });
    return line?.[number] ?? null;
  }

  private async hasUnnumbered({ oid, crawlId, qaRunId }: RunOfLines, kind: LogKind): Promise<boolean> {
    return this.logs.exists(oid, { crawlId, qaRunId, ...FILTERS[kind], [NUMBER[kind]]: null });
  }
}
