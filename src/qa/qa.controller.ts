import { Body, Controller, Get, Param, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Caller, CurrentOrg, RequireRole, type Principal } from '../common/access/access.js';
import { binary, Returns } from '../common/openapi/returns.js';
import { SuccessResponse } from '../common/responses/responses.dto.js';
import { list, mapOf, nullable } from '../common/validation/composites.js';
import { ItemReader } from '../items/item-reader.js';
import type { Item } from '../items/data/item.schema.js';
import type { Org } from '../orgs/data/org.schema.js';
import { StartedResponse } from '../pages/dto/pages.dto.js';
import { PresignedFiles } from '../storage/presigned-files.js';
import { sendDownload } from '../wacz/send-download.js';
import {
  DeletedCountResponse,
  DeleteQARunList,
  QaCrawlPath,
  QaListQuery,
  QaRunPath,
  QaStartQuery,
  QaStatsQuery,
  QARunAggregateStatsOut,
  QARunOut,
  QARunWithResources,
} from './dto/qa.dto.js';
import { QaControl } from './qa-control.js';
import { QaLauncher } from './qa-launcher.js';
import { QaRunsService } from './qa-runs.service.js';
import { QaStats } from './qa-stats.js';
import { toQaRunOut, toQaRunWithResources } from './qa.presenter.js';

/** Starts, shows and deletes QA runs of one crawl. Contract: crawling §8. */
@ApiTags('qa')
@Controller('orgs/:oid/crawls/:crawl_id/qa')
export class QaController {
  constructor(
    private readonly items: ItemReader,
    private readonly launcher: QaLauncher,
    private readonly control: QaControl,
    private readonly runs: QaRunsService,
    private readonly stats: QaStats,
    private readonly presigned: PresignedFiles,
  ) {}

  /** Starts a QA run of all pages, or of a sample. */
  @Post('start')
  @RequireRole('crawler')
  @Returns(StartedResponse)
  async startQaRun(
    @CurrentOrg() org: Org,
    @Caller() caller: Principal,
    @Param() path: QaCrawlPath,
    @Query() sample: QaStartQuery,
  ): Promise<StartedResponse> {
    return { started: await this.launcher.start(org, await this.crawl(path), caller, sample) };
  }

  /** Ends the active run and keeps the results so far. */
  @Post('stop')
  @RequireRole('crawler')
  @Returns(SuccessResponse)
  async stopQaRun(@Param() path: QaCrawlPath): Promise<SuccessResponse> {
    await this.control.stop(await this.crawl(path));
    return { success: true };
  }

  /** Ends the active run and discards its results. */
  @Post('cancel')
  @RequireRole('crawler')
  @Returns(SuccessResponse)
  async cancelQaRun(@Param() path: QaCrawlPath): Promise<SuccessResponse> {
    await this.control.cancel(await this.crawl(path));
    return { success: true };
  }

  /** Deletes finished runs with their results and files. */
  @Post('delete')
  @RequireRole('crawler')
  @Returns(DeletedCountResponse)
  async deleteQaRuns(
    @Param() path: QaCrawlPath,
    @Body() { qa_run_ids: ids }: DeleteQARunList,
  ): Promise<DeletedCountResponse> {
    return { deleted: await this.runs.delete(await this.crawl(path), ids) };
  }

  /** Lists the active run first, then the finished ones from the latest. */
  @Get()
  @RequireRole('viewer')
  @Returns(list(() => QARunOut))
  async listQaRuns(@Param() path: QaCrawlPath, @Query() query: QaListQuery): Promise<QARunOut[]> {
    return this.runs.list(await this.crawl(path), query).map(toQaRunOut);
  }

  /** Returns the active run, or null. */
  @Get('activeQA')
  @RequireRole('viewer')
  @Returns(mapOf(nullable(() => QARunOut)))
  async getActiveQaRun(@Param() path: QaCrawlPath): Promise<{ qa: QARunOut | null }> {
    const { qa } = await this.crawl(path);
    return { qa: qa ? toQaRunOut(qa) : null };
  }

  /** Returns a finished run with download URLs of its files. */
  @Get(':qa_run_id/replay.json')
  @RequireRole('viewer')
  @Returns(QARunWithResources)
  async getQaRunReplay(@CurrentOrg() org: Org, @Param() path: QaRunPath): Promise<QARunWithResources> {
    const run = this.runs.finished(await this.crawl(path), path.qa_run_id);
    return toQaRunWithResources(run, this.presigned.resources(org, [{ itemId: run.id, files: run.files }]));
  }

  /** Sends the run's WACZ files in one package. */
  @Get(':qa_run_id/download')
  @RequireRole('viewer')
  @Returns(binary(), { contentType: 'application/wacz+zip' })
  async downloadQaRun(
    @CurrentOrg() org: Org,
    @Param() path: QaRunPath,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await sendDownload(request, response, this.runs.download(org, await this.crawl(path), path.qa_run_id));
  }

  /** Counts the run's pages by score between the given thresholds. */
  @Get(':qa_run_id/stats')
  @RequireRole('viewer')
  @Returns(QARunAggregateStatsOut)
  async getQaRunStats(@Param() path: QaRunPath, @Query() query: QaStatsQuery): Promise<QARunAggregateStatsOut> {
    const thresholds = { screenshot: query.screenshotThresholds, text: query.textThresholds };
    return this.stats.of(await this.crawl(path), path.qa_run_id, thresholds);
  }

  private crawl({ oid, crawl_id: crawlId }: QaCrawlPath): Promise<Item> {
    return this.items.get(oid, crawlId);
  }
}
