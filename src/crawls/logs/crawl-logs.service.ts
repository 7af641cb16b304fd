import { Injectable } from '@nestjs/common';
import { checkSort, pageBounds, pageOf, type ListPage } from '../../common/pagination/page.js';
import { wireTime } from '../../common/validation/date-time.js';
import type { CrawlLog } from '../data/crawl-log.schema.js';
import { CrawlLogsRepository, type LogKind } from '../data/crawl-logs.repository.js';
import type { CrawlLogLine } from '../dto/crawl-logs.dto.js';
import type { LogLinesQuery } from '../dto/crawls.dto.js';

const SORT_FIELDS = ['timestamp', 'logLevel', 'context', 'message'];

/** Lists log lines, which are stored one by one. Contract: crawling §9. */
@Injectable()
export class CrawlLogsService {
  constructor(private readonly logs: CrawlLogsRepository) {}

  /** Lists lines of a crawl. An unknown crawl has none. @throws InvalidSortBy, InvalidSortDirection */
  async list(oid: string, crawlId: string, kind: LogKind, query: LogLinesQuery): Promise<ListPage<CrawlLogLine>> {
    const sort = checkSort(SORT_FIELDS, query.sortBy, query.sortDirection) ?? { field: 'timestamp', direction: 1 };
    const { lines, total } = await this.logs.list(oid, crawlId, kind, { bounds: pageBounds(query), sort });
    return pageOf(query, total, lines.map(toLine));
  }
}

const toLine = (line: CrawlLog): CrawlLogLine => ({
  id: line._id,
  crawlId: line.crawlId,
  oid: line.oid,
  qaRunId: line.qaRunId ?? null,
  timestamp: wireTime(line.timestamp),
  logLevel: line.logLevel,
  context: line.context,
  message: line.message ?? '',
  details: line.details ?? null,
});
