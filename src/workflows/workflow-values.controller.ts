import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { NotAudited } from '../audit/not-audited.js';
import { CurrentOrg, RequireRole } from '../common/access/access.js';
import { Returns } from '../common/openapi/returns.js';
import { SuccessResponse, TagsResponse } from '../common/responses/responses.dto.js';
import { list } from '../common/validation/composites.js';
import { str } from '../common/validation/scalars.js';
import type { Org } from '../orgs/data/org.schema.js';
import { CustomBehaviors } from './custom-behaviors.js';
import {
  CrawlConfigRunningCountsResponse,
  CrawlConfigSearchValues,
  ValidateCustomBehavior,
} from './dto/workflows.dto.js';
import {
  CrawlerChannels as CrawlerChannelsOut,
  CrawlerProxies as CrawlerProxiesOut,
} from './dto/crawler-catalog.dto.js';
import { SearchValuesQuery } from './dto/workflow-queries.dto.js';
import { WorkflowValues } from './workflow-values.js';
import { OrgPath } from '../orgs/dto/orgs.dto.js';

/** Routes that offer values for the workflow editor and list. */
@ApiTags('crawlconfigs')
@Controller('orgs/:oid/crawlconfigs')
export class WorkflowValuesController {
  constructor(
    private readonly values: WorkflowValues,
    private readonly behaviors: CustomBehaviors,
  ) {}

  /** Lists the distinct tags of workflows. */
  @Get('tags')
  @ApiOperation({ deprecated: true })
  @Returns(list(str()), { notFound: true })
  @RequireRole('viewer')
  async listWorkflowTags(@Param() { oid }: OrgPath): Promise<string[]> {
    return this.values.tags(oid);
  }

  /** Lists tags with the number of workflows that have them, most used first. */
  @Get('tagCounts')
  @Returns(TagsResponse, { notFound: true })
  @RequireRole('viewer')
  async countWorkflowTags(@Param() { oid }: OrgPath): Promise<TagsResponse> {
    return { tags: await this.values.tagCounts(oid) };
  }

  /** Lists texts and ids by which the list can be filtered. */
  @Get('search-values')
  @Returns(CrawlConfigSearchValues, { notFound: true })
  @RequireRole('viewer')
  async getWorkflowSearchValues(
    @Param() { oid }: OrgPath,
    @Query() { profileIds }: SearchValuesQuery,
  ): Promise<CrawlConfigSearchValues> {
    return this.values.searchValues(oid, profileIds);
  }

  /** Lists the crawler channels of the deployment. */
  @Get('crawler-channels')
  @Returns(CrawlerChannelsOut, { notFound: true })
  @RequireRole('crawler')
  listCrawlerChannels(@Param() _path: OrgPath): CrawlerChannelsOut {
    return this.values.channels();
  }

  /** Lists the proxies that the org may use. */
  @Get('crawler-proxies')
  @Returns(CrawlerProxiesOut, { notFound: true })
  @RequireRole('crawler')
  async listCrawlerProxies(@Param() _path: OrgPath, @CurrentOrg() org: Org): Promise<CrawlerProxiesOut> {
    return this.values.proxies(org);
  }

  /** Counts the org's crawls in each state that is not final. */
  @Get('running')
  @Returns(CrawlConfigRunningCountsResponse, { notFound: true })
  @RequireRole('viewer')
  async countRunningCrawls(@Param() { oid }: OrgPath): Promise<CrawlConfigRunningCountsResponse> {
    return this.values.runningCounts(oid);
  }

  /** Checks that a custom behavior can be fetched; 400, 404 or 504 say why it cannot. */
  @Post('validate/custom-behavior')
  @NotAudited('changes nothing')
  @Returns(SuccessResponse, { notFound: true })
  @RequireRole('crawler')
  async validateCustomBehavior(
    @Param() _path: OrgPath,
    @Body() { customBehavior }: ValidateCustomBehavior,
  ): Promise<SuccessResponse> {
    await this.behaviors.validate(customBehavior);
    return { success: true };
  }
}
