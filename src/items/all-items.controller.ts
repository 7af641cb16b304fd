import { Body, Controller, Get, Param, Patch, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import {
  Caller,
  CurrentOrg,
  CurrentOrgAccess,
  RequireRole,
  RequireSuperuser,
  type AuthedRequest,
  type OrgAccess,
  type Principal,
} from '../common/access/access.js';
import { PublicOrigin } from '../links/origins.js';
import { binary, Returns } from '../common/openapi/returns.js';
import { DeletedResponseQuota, UpdatedResponse, TagsResponse } from '../common/responses/responses.dto.js';
import type { Org } from '../orgs/data/org.schema.js';
import { sendDownload } from '../wacz/send-download.js';
import {
  CrawlOutWithResources,
  CrawlSearchValuesResponse,
  DeleteCrawlList,
  PaginatedCrawlOutResponse,
  UpdateCrawl,
} from './dto/items.dto.js';
import {
  AllItemsQuery,
  AnyItemIdPath,
  ItemDetailQuery,
  ItemDownloadQuery,
  ItemOrgPath,
  ItemSearchValuesQuery,
  ItemTagCountsQuery,
} from './dto/item-queries.dto.js';
import { ItemDeletions } from './deletion/item-deletions.js';
import { DownloadRecord } from './download-record.js';
import { ItemReader } from './item-reader.js';
import { ItemUpdates } from './item-updates.js';
import { ItemsService } from './items.service.js';
import { ItemPath } from '../pages/dto/page-queries.dto.js';

/** Routes of crawls and uploads together. Contract: archive §5, crawling §6. */
@ApiTags('all-crawls')
@Controller('orgs/:oid/all-crawls')
export class AllItemsController {
  constructor(
    private readonly items: ItemsService,
    private readonly reader: ItemReader,
    private readonly updates: ItemUpdates,
    private readonly deletions: ItemDeletions,
    private readonly record: DownloadRecord,
  ) {}

  /** Lists the org's crawls and uploads. @throws InvalidQaReviewRange, InvalidSortBy, InvalidSortDirection */
  @Get()
  @RequireRole('viewer')
  @Returns(PaginatedCrawlOutResponse)
  async listItems(@Param() { oid }: ItemOrgPath, @Query() query: AllItemsQuery): Promise<PaginatedCrawlOutResponse> {
    return this.items.list(oid, query);
  }

  /** Returns the values that the list's filters offer. */
  @Get('search-values')
  @RequireRole('viewer')
  @Returns(CrawlSearchValuesResponse)
  async getItemSearchValues(
    @Param() { oid }: ItemOrgPath,
    @Query() query: ItemSearchValuesQuery,
  ): Promise<CrawlSearchValuesResponse> {
    return this.items.searchValues(oid, query);
  }

  /** Returns tags with the number of items that have them, the most frequent first. */
  @Get('tagCounts')
  @RequireRole('viewer')
  @Returns(TagsResponse)
  async countItemTags(@Param() { oid }: ItemOrgPath, @Query() query: ItemTagCountsQuery): Promise<TagsResponse> {
    return { tags: await this.items.tagCounts(oid, query) };
  }

  /** Returns an item with its files and first pages. @throws ItemNotFound */
  @Get(':crawl_id')
  @RequireRole('crawler')
  @Returns(CrawlOutWithResources)
  async getItem(
    @Param() { crawl_id: itemId }: ItemPath,
    @Query() query: ItemDetailQuery,
    @CurrentOrg() org: Org,
    @PublicOrigin() origin: string,
  ): Promise<CrawlOutWithResources> {
    return this.reader.detail(org, itemId, { ...query, origin });
  }

  /** Returns an item with all that the player needs. @throws ItemNotFound */
  @Get(':crawl_id/replay.json')
  @RequireRole('viewer')
  @Returns(CrawlOutWithResources)
  async getItemReplay(
    @Param() { crawl_id: itemId }: ItemPath,
    @Query() query: ItemDetailQuery,
    @CurrentOrg() org: Org,
    @PublicOrigin() origin: string,
  ): Promise<CrawlOutWithResources> {
    return this.reader.detail(org, itemId, { ...query, origin });
  }

  /**
   * Downloads the item's files as one multi-WACZ, or its only WACZ.
   * @throws ItemNotFound, NoCrawlResources, DownloadFailed
   */
  @Get(':crawl_id/download')
  @RequireRole('viewer')
  @Returns(binary(), { contentType: 'application/wacz+zip' })
  async downloadItem(
    @Param() { crawl_id: itemId }: ItemPath,
    @Query() query: ItemDownloadQuery,
    @CurrentOrg() org: Org,
    @Req() request: AuthedRequest,
    @Res() response: Response,
  ): Promise<void> {
    const download = await this.reader.download(org, itemId, query);
    await this.record.began(request, { oid: org._id, itemId }, download);
    await sendDownload(request, response, download);
  }

  /**
   * Changes an item's metadata and its collections.
   * @throws NoUpdateData, CrawlNotFound, ItemNotFound, InvalidFailedOrUnfinishedCrawl, CollectionNotFound
   */
  @Patch(':crawl_id')
  @RequireRole('crawler')
  @Returns(UpdatedResponse)
  async updateItem(@Param() { oid, crawl_id: itemId }: ItemPath, @Body() body: UpdateCrawl): Promise<UpdatedResponse> {
    await this.updates.update({ oid, itemId }, body);
    return { updated: true };
  }

  /** Deletes items of both types. Files that other items need stay, unless `retain` is false. @throws NothingToDelete, ItemNotFound, NotAllowed, FileDeletionError */
  @Post('delete')
  @RequireRole('crawler')
  @Returns(DeletedResponseQuota)
  async deleteItems(
    @Param() _path: ItemOrgPath,
    @Body() body: DeleteCrawlList,
    @CurrentOrgAccess() access: OrgAccess,
    @Caller() caller: Principal,
  ): Promise<DeletedResponseQuota> {
    return this.deletions.deleteAll(access, caller, body);
  }
}

/** The route by which superusers replay an item of any org. */
@ApiTags('all-crawls')
@Controller('orgs/all/all-crawls')
export class AnyOrgItemsController {
  constructor(private readonly reader: ItemReader) {}

  /** Returns an item of any org with all that the player needs. @throws ItemNotFound */
  @Get(':crawl_id/replay.json')
  @RequireSuperuser()
  @Returns(CrawlOutWithResources)
  async getAnyItemReplay(
    @Param() { crawl_id: itemId }: AnyItemIdPath,
    @Query() query: ItemDetailQuery,
    @PublicOrigin() origin: string,
  ): Promise<CrawlOutWithResources> {
    return this.reader.detailAcrossOrgs(itemId, { ...query, origin });
  }
}
