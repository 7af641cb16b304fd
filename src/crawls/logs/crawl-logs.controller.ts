import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RequireRole } from '../../common/access/access.js';
import { Returns } from '../../common/openapi/returns.js';
import type { ListPage } from '../../common/pagination/page.js';
import { type CrawlLogLine, PaginatedCrawlLogResponse } from '../dto/crawl-logs.dto.js';
import { LogLinesQuery } from '../dto/crawls.dto.js';
import { CrawlLogsService } from './crawl-logs.service.js';
import { ItemPath } from '../../pages/dto/page-queries.dto.js';

/** Log lines of crawls. */
@ApiTags('crawls')
@Controller('orgs/:oid/crawls/:crawl_id')
export class CrawlLogsController {
  constructor(private readonly logs: CrawlLogsService) {}

  /** Errors and fatal errors, as they come. */
  @Get('errors')
  @Returns(PaginatedCrawlLogResponse)
  @RequireRole('viewer')
  async listCrawlErrors(
    @Param() { oid, crawl_id: crawlId }: ItemPath,
    @Query() query: LogLinesQuery,
  ): Promise<ListPage<CrawlLogLine>> {
    return this.logs.list(oid, crawlId, 'errors', query);
  }

  /** What behaviors did on pages, as it comes. */
  @Get('behaviorLogs')
  @Returns(PaginatedCrawlLogResponse)
  @RequireRole('viewer')
  async listCrawlBehaviorLogs(
    @Param() { oid, crawl_id: crawlId }: ItemPath,
    @Query() query: LogLinesQuery,
  ): Promise<ListPage<CrawlLogLine>> {
    return this.logs.list(oid, crawlId, 'behaviors', query);
  }
}
