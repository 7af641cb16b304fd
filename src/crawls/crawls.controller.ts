import { Body, Controller, Get, Param, Patch, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import {
  Caller,
  CurrentOrg,
  CurrentOrgAccess,
  RequireRole,
  type AuthedRequest,
  type OrgAccess,
  type Principal,
} from '../common/access/access.js';
import { PublicOrigin } from '../links/origins.js';
import { binary, Returns } from '../common/openapi/returns.js';
import { UpdatedResponse, TagsResponse } from '../common/responses/responses.dto.js';
import { sendDownload } from '../wacz/send-download.js';
import { PageQuery, type ListPage } from '../common/pagination/page.js';
import { ItemsQueries } from '../items/data/items.queries.js';
import {
  CrawlOutWithResources,
  CrawlOut,
  PaginatedCrawlOutResponse,
  DeleteCrawlList,
  UpdateCrawl,
} from '../items/dto/items.dto.js';
import type { Seed } from '../items/dto/crawl-config.dto.js';
import { DownloadRecord } from '../items/download-record.js';
import { ItemReader } from '../items/item-reader.js';
import { ItemUpdates } from '../items/item-updates.js';
import type { Org } from '../orgs/data/org.schema.js';
import { CrawlDeletion } from './crawl-deletion.js';
import { CrawlsService } from './crawls.service.js';
import {
  DeletedCountResponseQuota,
  CrawlsQuery,
  DownloadQuery,
  TagCountsQuery,
  WithDependenciesQuery,
  PaginatedSeedResponse,
} from './dto/crawls.dto.js';
import { OrgPath } from '../orgs/dto/orgs.dto.js';
import { ItemPath } from '../pages/dto/page-queries.dto.js';

/** Crawls of an org: lists and single reads. */
@ApiTags('crawls')
@Controller('orgs/:oid/crawls')
export class CrawlsController {
  constructor(
    private readonly crawls: CrawlsService,
    private readonly reader: ItemReader,
    private readonly items: ItemsQueries,
    private readonly updates: ItemUpdates,
    private readonly deletion: CrawlDeletion,
    private readonly record: DownloadRecord,
  ) {}

  /** Crawls in any state. */
  @Get()
  @Returns(PaginatedCrawlOutResponse)
  @RequireRole('viewer')
  async list(@Param() { oid }: OrgPath, @Query() query: CrawlsQuery): Promise<ListPage<CrawlOut>> {
    return this.crawls.list(oid, query);
  }

  /** Tags of the org's crawls with the number of crawls that have them. */
  @Get('tagCounts')
  @Returns(TagsResponse)
  @RequireRole('viewer')
  async countCrawlTags(@Param() { oid }: OrgPath, @Query() { onlySuccessful }: TagCountsQuery): Promise<TagsResponse> {
    return { tags: await this.items.tagCounts(oid, 'crawl', onlySuccessful) };
  }

  /** Returns a crawl. */
  @Get(':crawl_id')
  @Returns(CrawlOut)
  @RequireRole('viewer')
  async get(@Param() { oid, crawl_id: crawlId }: ItemPath): Promise<CrawlOut> {
    return this.crawls.get(oid, crawlId);
  }

  /** The crawl with its files and first pages, as the player reads it. */
  @Get(':crawl_id/replay.json')
  @Returns(CrawlOutWithResources)
  @RequireRole('viewer')
  async getCrawlReplay(
    @Param() { crawl_id: crawlId }: ItemPath,
    @Query() { withDependencies }: WithDependenciesQuery,
    @CurrentOrg() org: Org,
    @PublicOrigin() origin: string,
  ): Promise<CrawlOutWithResources> {
    return this.reader.detail(org, crawlId, { withDependencies, origin }, 'crawl');
  }

  /** Start addresses of the crawl's own copy of the config. */
  @Get(':crawl_id/seeds')
  @Returns(PaginatedSeedResponse)
  @RequireRole('viewer')
  async listCrawlSeeds(
    @Param() { oid, crawl_id: crawlId }: ItemPath,
    @Query() query: PageQuery,
  ): Promise<ListPage<Seed>> {
    return this.crawls.seeds(oid, crawlId, query);
  }

  /** A multi-WACZ of the crawl's files, or its only WACZ as it is. @throws NoCrawlResources, DownloadFailed */
  @Get(':crawl_id/download')
  @Returns(binary(), { contentType: 'application/wacz+zip' })
  @RequireRole('viewer')
  async download(
    @Param() { crawl_id: crawlId }: ItemPath,
    @Query() query: DownloadQuery,
    @CurrentOrg() org: Org,
    @Req() request: AuthedRequest,
    @Res() response: Response,
  ): Promise<void> {
    const download = await this.reader.download(org, crawlId, { ...query, type: 'crawl' });
    await this.record.began(request, { oid: org._id, itemId: crawlId }, download);
    await sendDownload(request, response, download);
  }

  /** Keys that are absent stay as they are, null clears; see `UpdateCrawl`. */
  @Patch(':crawl_id')
  @Returns(UpdatedResponse)
  @RequireRole('crawler')
  async update(@Param() { oid, crawl_id: crawlId }: ItemPath, @Body() body: UpdateCrawl): Promise<UpdatedResponse> {
    await this.updates.update({ oid, itemId: crawlId, type: 'crawl' }, body);
    return { updated: true };
  }

  /** Deletes crawls with all that is theirs; running ones are cancelled. */
  @Post('delete')
  @Returns(DeletedCountResponseQuota)
  @RequireRole('crawler')
  async deleteCrawls(
    @CurrentOrgAccess() access: OrgAccess,
    @Caller() caller: Principal,
    @Body() body: DeleteCrawlList,
  ): Promise<DeletedCountResponseQuota> {
    return this.deletion.delete(access, caller, body);
  }
}
