import { Controller, Get, Header, Options, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Public } from '../../common/access/access.js';
import { PublicOrigin } from '../../links/origins.js';
import { Returns } from '../../common/openapi/returns.js';
import { CrawlOutWithResources } from '../../items/dto/items.dto.js';
import { EmptyResponse, PageOutItemsResponse } from '../../pages/dto/pages.dto.js';
import { PageSearchQuery } from '../../pages/dto/page-queries.dto.js';
import { toPageOut } from '../../pages/page.presenter.js';
import { WorkflowPath } from '../dto/workflow-queries.dto.js';
import { PublicWorkflows } from './public-workflows.js';

const ANY = '*';
const METHODS = 'GET, HEAD, OPTIONS';

/** Players on any site read these routes. */
@ApiTags('crawlconfigs')
@Controller('orgs/:oid/crawlconfigs/:cid/public')
export class PublicWorkflowReplayController {
  constructor(private readonly workflows: PublicWorkflows) {}

  /** Returns the replay of a shareable workflow's last successful crawl, or `null` before there is one. */
  @Get('replay.json')
  @Header('Access-Control-Allow-Origin', ANY)
  @Header('Access-Control-Allow-Headers', ANY)
  @Returns(CrawlOutWithResources)
  @Public()
  async getPublicWorkflowReplay(
    @Param() { oid, cid }: WorkflowPath,
    @PublicOrigin() origin: string,
    @Res() response: Response,
  ): Promise<void> {
    // Nest would turn a returned null into an empty body.
    response.status(200).json(await this.workflows.replay(oid, cid, origin));
  }

  /** Answers the preflight of browsers on other sites. */
  @Options('replay.json')
  @Header('Access-Control-Allow-Origin', ANY)
  @Header('Access-Control-Allow-Headers', ANY)
  @Header('Access-Control-Allow-Methods', METHODS)
  @Returns(EmptyResponse)
  @Public()
  preflightPublicWorkflowReplay(): EmptyResponse {
    return {};
  }
}

@ApiTags('pages', 'crawlconfigs')
@Controller('orgs/:oid/crawlconfigs/:cid/public')
export class PublicWorkflowPagesController {
  constructor(private readonly workflows: PublicWorkflows) {}

  /** Lists pages of a shareable workflow's last successful crawl. */
  @Get('pagesSearch')
  @Header('Access-Control-Allow-Origin', ANY)
  @Header('Access-Control-Allow-Headers', ANY)
  @Returns(PageOutItemsResponse)
  @Public()
  async searchPublicWorkflowPages(
    @Param() { oid, cid }: WorkflowPath,
    @Query() query: PageSearchQuery,
  ): Promise<PageOutItemsResponse> {
    return { items: (await this.workflows.searchPages(oid, cid, query)).map(toPageOut) };
  }

  /** Answers the preflight of browsers on other sites. */
  @Options('pagesSearch')
  @Header('Access-Control-Allow-Origin', ANY)
  @Header('Access-Control-Allow-Headers', ANY)
  @Header('Access-Control-Allow-Methods', METHODS)
  @Returns(EmptyResponse)
  @Public()
  preflightPublicWorkflowPages(): EmptyResponse {
    return {};
  }
}
