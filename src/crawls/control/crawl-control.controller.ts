import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, CurrentOrg, RequireRole, type Principal } from '../../common/access/access.js';
import { KeyScopeIs } from '../../common/access/key-scopes.js';
import { Returns } from '../../common/openapi/returns.js';
import { SuccessResponse } from '../../common/responses/responses.dto.js';
import type { Org } from '../../orgs/data/org.schema.js';
import { EmptyResponse } from '../../pages/dto/pages.dto.js';
import { CrawlsService } from '../crawls.service.js';
import {
  MatchAllQuery,
  QueueQuery,
  CrawlQueueResponse,
  CrawlScaleResponse,
  CrawlScale,
  MatchCrawlQueueResponse,
} from '../dto/crawls.dto.js';
import { CrawlControl } from './crawl-control.js';
import { CrawlQueue } from './crawl-queue.js';
import { CrawlSettings } from './crawl-settings.js';
import { ItemPath } from '../../pages/dto/page-queries.dto.js';

const SUCCESS: SuccessResponse = { success: true };

/** What users ask of running crawls. */
@ApiTags('crawls')
@Controller('orgs/:oid/crawls/:crawl_id')
export class CrawlControlController {
  constructor(
    private readonly control: CrawlControl,
    private readonly settings: CrawlSettings,
    private readonly queues: CrawlQueue,
    private readonly crawls: CrawlsService,
  ) {}

  /** Ends the crawl and keeps what it has. */
  @Post('stop')
  @KeyScopeIs('crawls:run')
  @Returns(SuccessResponse)
  @RequireRole('crawler')
  async stopCrawl(@Param() { oid, crawl_id: crawlId }: ItemPath): Promise<SuccessResponse> {
    await this.control.stop(oid, crawlId);
    return SUCCESS;
  }

  /** Ends the crawl and discards what it has. */
  @Post('cancel')
  @KeyScopeIs('crawls:run')
  @Returns(SuccessResponse)
  @RequireRole('crawler')
  async cancelCrawl(@Param() { crawl_id: crawlId }: ItemPath, @CurrentOrg() org: Org): Promise<SuccessResponse> {
    await this.control.cancel(org, crawlId);
    return SUCCESS;
  }

  /** Pauses the crawl. What it has can be replayed meanwhile. */
  @Post('pause')
  @KeyScopeIs('crawls:run')
  @Returns(SuccessResponse)
  @RequireRole('crawler')
  async pauseCrawl(@Param() { oid, crawl_id: crawlId }: ItemPath): Promise<SuccessResponse> {
    await this.control.pause(oid, crawlId);
    return SUCCESS;
  }

  /** Resumes a paused crawl. */
  @Post('resume')
  @KeyScopeIs('crawls:run')
  @Returns(SuccessResponse)
  @RequireRole('crawler')
  async resumeCrawl(@Param() { oid, crawl_id: crawlId }: ItemPath): Promise<SuccessResponse> {
    await this.control.resume(oid, crawlId);
    return SUCCESS;
  }

  /** Changes the number of browser windows of a running crawl, and of its workflow. */
  @Post('scale')
  @KeyScopeIs('crawls:run')
  @Returns(CrawlScaleResponse)
  @RequireRole('crawler')
  async scaleCrawl(
    @Param() { oid, crawl_id: crawlId }: ItemPath,
    @Body() body: CrawlScale,
    @Caller() caller: Principal,
  ): Promise<CrawlScaleResponse> {
    await this.control.crawl(oid, crawlId);
    return { scaled: true, browserWindows: await this.settings.scale(oid, crawlId, body, caller) };
  }

  /** Whether the caller may watch the crawl: what a front proxy asks before it opens the watch websocket. */
  @Get('access')
  @Returns(EmptyResponse)
  @RequireRole('crawler')
  async checkCrawlAccess(@Param() { oid, crawl_id: crawlId }: ItemPath): Promise<EmptyResponse> {
    await this.crawls.stored(oid, crawlId);
    return {};
  }

  /** A window of the queue, in crawl order. */
  @Get('queue')
  @Returns(CrawlQueueResponse)
  @RequireRole('crawler')
  async getCrawlQueue(
    @Param() { oid, crawl_id: crawlId }: ItemPath,
    @Query() query: QueueQuery,
  ): Promise<CrawlQueueResponse> {
    return this.queues.window(oid, crawlId, query);
  }

  /** All queued URLs that a regular expression finds. */
  @Get('queueMatchAll')
  @Returns(MatchCrawlQueueResponse)
  @RequireRole('crawler')
  async matchCrawlQueue(
    @Param() { oid, crawl_id: crawlId }: ItemPath,
    @Query() query: MatchAllQuery,
  ): Promise<MatchCrawlQueueResponse> {
    return this.queues.matchAll(oid, crawlId, query);
  }
}
