import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentOrg, RequireRole, RequireSuperuser } from '../common/access/access.js';
import { binary, Returns } from '../common/openapi/returns.js';
import type { Org } from '../orgs/data/org.schema.js';
import { CrawlLogStream } from './logs/crawl-log-stream.js';
import { CrawlStatistics } from './crawl-stats.js';
import { LogsQuery } from './dto/crawls.dto.js';
import { OrgPath } from '../orgs/dto/orgs.dto.js';
import { ItemPath } from '../pages/dto/page-queries.dto.js';

/** Sends while it reads. A client that leaves ends the reading, which is no failure. */
async function send(body: Readable, response: Response): Promise<void> {
  try {
    await pipeline(body, response);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}

const setOf = (list: string | null | undefined): Set<string> | null => (list ? new Set(list.split(',')) : null);

/** Texts of any length: the whole log of a crawl, and the table of all crawls. */
@ApiTags('crawls')
@Controller('orgs')
export class CrawlStreamsController {
  constructor(
    private readonly logs: CrawlLogStream,
    private readonly statistics: CrawlStatistics,
  ) {}

  /** One JSON object on each line. */
  @Get(':oid/crawls/:crawl_id/logs')
  @Returns(binary(), { contentType: 'text/jsonl' })
  @RequireRole('viewer')
  async getCrawlLog(
    @Param() { crawl_id: crawlId }: ItemPath,
    @Query() { logLevel, context }: LogsQuery,
    @CurrentOrg() org: Org,
    @Res() response: Response,
  ): Promise<void> {
    const gone = new AbortController();
    response.once('close', () => gone.abort());
    const filter = { levels: setOf(logLevel), contexts: setOf(context) };
    const body = await this.logs.open(org, crawlId, filter, gone.signal);
    response.type('text/jsonl').set('Content-Disposition', `attachment; filename="${crawlId}.log"`);
    await send(body, response);
  }

  /** CSV, one line for each crawl of the org. */
  @Get(':oid/crawls/stats')
  @Returns(binary(), { contentType: 'text/csv' })
  @RequireRole('crawler')
  async getCrawlStats(@Param() { oid }: OrgPath, @Res() response: Response): Promise<void> {
    await this.table(oid, `crawling-stats-${oid}.csv`, response);
  }

  /** CSV, one line for each crawl of all orgs. */
  @Get('all/crawls/stats')
  @Returns(binary(), { contentType: 'text/csv' })
  @RequireSuperuser()
  async getAllCrawlStats(@Res() response: Response): Promise<void> {
    await this.table(null, 'crawling-stats.csv', response);
  }

  private async table(oid: string | null, filename: string, response: Response): Promise<void> {
    const lines = await this.statistics.lines(oid);
    response.type('text/csv; charset=utf-8').set('Content-Disposition', `attachment;filename=${filename}`);
    await send(Readable.from(lines, { objectMode: false }), response);
  }
}
