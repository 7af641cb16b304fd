import { Controller, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RequireSuperuser } from '../common/access/access.js';
import { Returns } from '../common/openapi/returns.js';
import { SuccessResponse } from '../common/responses/responses.dto.js';
import { CrawlConfigRunningCountsResponse } from './dto/workflows.dto.js';
import { CrawlerProxies as CrawlerProxiesOut } from './dto/crawler-catalog.dto.js';
import { WorkflowScheduler } from './running/workflow-scheduler.js';
import { WorkflowValues } from './workflow-values.js';

/** Routes for superusers that concern the workflows of all orgs. */
@ApiTags('crawlconfigs')
@Controller('orgs/all/crawlconfigs')
export class AllWorkflowsController {
  constructor(
    private readonly values: WorkflowValues,
    private readonly scheduler: WorkflowScheduler,
  ) {}

  /** Lists all proxies of the deployment. */
  @Get('crawler-proxies')
  @Returns(CrawlerProxiesOut)
  @RequireSuperuser()
  async listAllCrawlerProxies(): Promise<CrawlerProxiesOut> {
    return this.values.proxies(null);
  }

  /** Counts the crawls in each state that is not final. */
  @Get('running')
  @Returns(CrawlConfigRunningCountsResponse)
  @RequireSuperuser()
  async countAllRunningCrawls(): Promise<CrawlConfigRunningCountsResponse> {
    return this.values.runningCounts(null);
  }

  /** Starts to work out the next firing of every schedule anew, in the background. */
  @Post('reAddCronjobs')
  @Returns(SuccessResponse)
  @RequireSuperuser()
  recreateSchedules(): SuccessResponse {
    this.scheduler.rescheduleAllInBackground();
    return { success: true };
  }
}
