import { Body, Controller, Delete, Get, Headers, Param, Patch, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Caller, CurrentOrg, RequireRole, type Principal } from '../common/access/access.js';
import { revisionTag } from '../common/http/entity-tags.js';
import { KeyScopeIs } from '../common/access/key-scopes.js';
import { ListedWithSlash, Returns } from '../common/openapi/returns.js';
import { PageQuery } from '../common/pagination/page.js';
import { StartedResponse } from '../pages/dto/pages.dto.js';
import { PaginatedSeedResponse } from '../crawls/dto/crawls.dto.js';
import type { Org } from '../orgs/data/org.schema.js';
import {
  CrawlConfigAddedResponse,
  CrawlConfigDeletedResponse,
  CrawlConfigIn,
  CrawlConfigOut,
  CrawlConfigUpdateResponse,
  PaginatedConfigRevisionResponse,
  PaginatedCrawlConfigOutResponse,
  UpdateCrawlConfig,
} from './dto/workflows.dto.js';
import { WorkflowListQuery, WorkflowPath } from './dto/workflow-queries.dto.js';
import { WorkflowCreator } from './editing/workflow-creator.js';
import { WorkflowEditor } from './editing/workflow-editor.js';
import { WorkflowRemover } from './editing/workflow-remover.js';
import { WorkflowRuns } from './running/workflow-runs.js';
import { WorkflowReader } from './workflow-reader.js';
import { OrgPath } from '../orgs/dto/orgs.dto.js';

@ApiTags('crawlconfigs')
@Controller('orgs/:oid/crawlconfigs')
export class WorkflowsController {
  constructor(
    private readonly reader: WorkflowReader,
    private readonly creator: WorkflowCreator,
    private readonly editor: WorkflowEditor,
    private readonly remover: WorkflowRemover,
    private readonly runs: WorkflowRuns,
  ) {}

  /** Lists active workflows without their configs. Workflows with a running crawl show its live figures. */
  @Get()
  @Returns(PaginatedCrawlConfigOutResponse, { notFound: true })
  @RequireRole('viewer')
  async list(@Param() { oid }: OrgPath, @Query() query: WorkflowListQuery): Promise<PaginatedCrawlConfigOutResponse> {
    return this.reader.list(oid, query);
  }

  /** Creates a workflow. With `runNow` it also starts a crawl; if that fails, `errorDetail` says why. */
  @Post()
  @ListedWithSlash()
  @Returns(CrawlConfigAddedResponse, { notFound: true })
  @RequireRole('crawler')
  async create(
    @Param() _path: OrgPath,
    @CurrentOrg() org: Org,
    @Caller() actor: Principal,
    @Body() body: CrawlConfigIn,
  ): Promise<CrawlConfigAddedResponse> {
    return this.creator.create(org, actor, body);
  }

  /**
   * Returns a workflow with its config, active or not. Its seeds have a list of their own. `ETag` names its revision
   * for `If-Match` of a change.
   */
  @Get(':cid')
  @Returns(CrawlConfigOut, { notFound: true })
  @RequireRole('viewer')
  async get(
    @Param() { oid, cid }: WorkflowPath,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CrawlConfigOut> {
    const workflow = await this.reader.get(oid, cid);
    response.set('ETag', revisionTag(workflow.rev, workflow));
    return workflow;
  }

  /**
   * Changes a workflow. Fields that are left out stay as they are. In `profileid` a UUID sets the profile, "" removes
   * it and null leaves it. `config` is merged key by key. A change of settings keeps the former ones as a revision.
   * With `If-Match` (the `ETag` of the workflow as it was read) nothing changes when somebody else changed it since:
   * 412 `workflow_not_as_expected`. Without it the last writer of a field wins.
   */
  @Patch(':cid')
  @Returns(CrawlConfigUpdateResponse, { notFound: true })
  @RequireRole('crawler')
  async update(
    @Param() { cid }: WorkflowPath,
    @CurrentOrg() org: Org,
    @Caller() actor: Principal,
    @Body() body: UpdateCrawlConfig,
    @Headers('if-match') expected: string | undefined,
  ): Promise<CrawlConfigUpdateResponse> {
    return this.editor.update(org, actor, cid, { input: body, expected });
  }

  /** Deletes a workflow that never had a crawl, and deactivates any other. */
  @Delete(':cid')
  @Returns(CrawlConfigDeletedResponse, { notFound: true })
  @RequireRole('crawler')
  async delete(@Param() { oid, cid }: WorkflowPath): Promise<CrawlConfigDeletedResponse> {
    return { success: true, status: await this.remover.remove(oid, cid) };
  }

  /** Starts a crawl of the workflow. */
  @Post(':cid/run')
  @KeyScopeIs('crawls:run')
  @Returns(StartedResponse, { notFound: true })
  @RequireRole('crawler')
  async run(
    @Param() { cid }: WorkflowPath,
    @CurrentOrg() org: Org,
    @Caller() actor: Principal,
  ): Promise<StartedResponse> {
    return { started: await this.runs.start(org, actor, cid) };
  }

  /** Lists the start URLs of an active workflow. The list is empty when the workflow starts from a seed file. */
  @Get(':cid/seeds')
  @Returns(PaginatedSeedResponse, { notFound: true })
  @RequireRole('viewer')
  async listWorkflowSeeds(
    @Param() { oid, cid }: WorkflowPath,
    @Query() query: PageQuery,
  ): Promise<PaginatedSeedResponse> {
    return this.reader.seeds(oid, cid, query);
  }

  /** Lists the workflow's former settings, oldest first. */
  @Get(':cid/revs')
  @Returns(PaginatedConfigRevisionResponse, { notFound: true })
  @RequireRole('viewer')
  async listWorkflowRevisions(
    @Param() { oid, cid }: WorkflowPath,
    @Query() query: PageQuery,
  ): Promise<PaginatedConfigRevisionResponse> {
    return this.reader.revisionsOf(oid, cid, query);
  }
}
