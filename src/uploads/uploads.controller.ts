import { Body, Controller, Get, Param, Patch, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import {
  Caller,
  CurrentOrg,
  CurrentOrgAccess,
  RequireRole,
  RequireSuperuser,
  type OrgAccess,
  type Principal,
} from '../common/access/access.js';
import { KeyScopeIs } from '../common/access/key-scopes.js';
import { PublicOrigin } from '../links/origins.js';
import { binary, Returns } from '../common/openapi/returns.js';
import { DeletedResponseQuota, UpdatedResponse, TagsResponse } from '../common/responses/responses.dto.js';
import { CrawlOutWithResources, CrawlOut, DeleteCrawlList, PaginatedCrawlOutResponse } from '../items/dto/items.dto.js';
import { ItemReader } from '../items/item-reader.js';
import { ItemUpdates } from '../items/item-updates.js';
import type { Org } from '../orgs/data/org.schema.js';
import { sendDownload } from '../wacz/send-download.js';
import { UpdateUpload, AnyUploadPath, UploadGetPath, UploadListQuery, UploadsPath } from './dto/uploads.dto.js';
import { UploadLists } from './upload-lists.js';
import { ItemPath } from '../pages/dto/page-queries.dto.js';

/** Uploads that are there. Contract: archive §4.3. */
@ApiTags('uploads')
@Controller('orgs/:oid/uploads')
export class UploadsController {
  constructor(
    private readonly lists: UploadLists,
    private readonly reader: ItemReader,
    private readonly updates: ItemUpdates,
  ) {}

  /** Lists the org's uploads. @throws InvalidSortBy, InvalidSortDirection */
  @Get()
  @RequireRole('viewer')
  @Returns(PaginatedCrawlOutResponse)
  async list(@Param() { oid }: UploadsPath, @Query() query: UploadListQuery): Promise<PaginatedCrawlOutResponse> {
    return this.lists.list(oid, query);
  }

  /** Of uploads in any state, the most frequent tag first. */
  @Get('tagCounts')
  @RequireRole('viewer')
  @Returns(TagsResponse)
  async countUploadTags(@Param() { oid }: UploadsPath): Promise<TagsResponse> {
    return { tags: await this.lists.tagCounts(oid) };
  }

  /** Returns an upload. @throws ItemNotFound */
  @Get(':crawlid')
  @RequireRole('crawler')
  @Returns(CrawlOut)
  async get(@Param() { oid, crawlid: itemId }: UploadGetPath): Promise<CrawlOut> {
    return this.lists.get(oid, itemId);
  }

  /** The upload with all that the player needs. @throws ItemNotFound */
  @Get(':crawl_id/replay.json')
  @RequireRole('viewer')
  @Returns(CrawlOutWithResources)
  async getUploadReplay(
    @Param() { crawl_id: itemId }: ItemPath,
    @CurrentOrg() org: Org,
    @PublicOrigin() origin: string,
  ): Promise<CrawlOutWithResources> {
    return this.reader.detail(org, itemId, { withDependencies: false, origin }, 'upload');
  }

  /** Sends a multi-WACZ of the upload's files. @throws ItemNotFound, NoCrawlResources, DownloadFailed */
  @Get(':crawl_id/download')
  @RequireRole('viewer')
  @Returns(binary(), { contentType: 'application/wacz+zip' })
  async download(
    @Param() { crawl_id: itemId }: ItemPath,
    @CurrentOrg() org: Org,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await sendDownload(request, response, await this.reader.download(org, itemId, { type: 'upload' }));
  }

  /**
   * Deletes uploads with all that is theirs; crawls in the list are left alone.
   * @throws ItemNotFound, NotAllowed, UploadedCrawlNotFound, FileDeletionError
   */
  @Post('delete')
  @KeyScopeIs('items:write')
  @RequireRole('crawler')
  @Returns(DeletedResponseQuota)
  async deleteUploads(
    @Param() _path: UploadsPath,
    @CurrentOrgAccess() access: OrgAccess,
    @Caller() caller: Principal,
    @Body() body: DeleteCrawlList,
  ): Promise<DeletedResponseQuota> {
    return this.lists.delete(access, caller, body);
  }

  /** Changes an upload's metadata and its collections. @throws NoUpdateData, CrawlNotFound, ItemNotFound, InvalidFailedOrUnfinishedCrawl, CollectionNotFound */
  @Patch(':crawl_id')
  @KeyScopeIs('items:write')
  @RequireRole('crawler')
  @Returns(UpdatedResponse)
  async update(@Param() { oid, crawl_id: itemId }: ItemPath, @Body() body: UpdateUpload): Promise<UpdatedResponse> {
    await this.updates.update({ oid, itemId, type: 'upload' }, body);
    return { updated: true };
  }
}

/** Superusers' look at an upload of any org. */
@ApiTags('uploads')
@Controller('orgs/all/uploads')
export class AnyOrgUploadsController {
  constructor(private readonly reader: ItemReader) {}

  /** Returns an upload of any org with all that the player needs. @throws ItemNotFound */
  @Get(':crawl_id/replay.json')
  @RequireSuperuser()
  @Returns(CrawlOutWithResources)
  async getAnyUploadReplay(
    @Param() { crawl_id: itemId }: AnyUploadPath,
    @PublicOrigin() origin: string,
  ): Promise<CrawlOutWithResources> {
    return this.reader.detailAcrossOrgs(itemId, { withDependencies: false, origin }, 'upload');
  }
}
