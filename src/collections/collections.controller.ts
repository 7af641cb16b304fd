import { Body, Controller, Delete, Get, Param, Patch, Post, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { CurrentOrg, RequireRole } from '../common/access/access.js';
import { PublicOrigin } from '../links/origins.js';
import { binary, Returns } from '../common/openapi/returns.js';
import { SuccessResponse, UpdatedResponse } from '../common/responses/responses.dto.js';
import type { Org } from '../orgs/data/org.schema.js';
import { sendDownload } from '../wacz/send-download.js';
import { CollectionDeletion } from './collection-deletion.js';
import { CollectionDownloads } from './replay/collection-downloads.js';
import { CollectionLists } from './collection-lists.js';
import { CollectionReader, found } from './collection-reader.js';
import { CollectionsService } from './collections.service.js';
import { CollectionsRepository } from './data/collections.repository.js';
import {
  AddedResponseIdName,
  CollIn,
  CollOut,
  CollectionAddRemove,
  CollectionAllResponse,
  CollectionSearchValuesResponse,
  PaginatedCollOutResponse,
  UpdateCollHomeUrl,
  UpdateColl,
} from './dto/collections.dto.js';
import {
  CollectionOrgPath,
  CollectionPath,
  CollectionsQuery,
  PageUrlCountsQuery,
} from './dto/collection-queries.dto.js';
import { PageUrlCountResponse } from './dto/collection-pages.dto.js';

/** Reads collections of an org. Contract: archive §7. */
@ApiTags('collections')
@Controller('orgs/:oid/collections')
export class CollectionsController {
  constructor(
    private readonly lists: CollectionLists,
    private readonly reader: CollectionReader,
    private readonly downloads: CollectionDownloads,
    private readonly repository: CollectionsRepository,
  ) {}

  /** Lists the org's collections. @throws InvalidSortBy, InvalidSortDirection */
  @Get()
  @RequireRole('viewer')
  @Returns(PaginatedCollOutResponse)
  async list(
    @Param() _path: CollectionOrgPath,
    @Query() query: CollectionsQuery,
    @CurrentOrg() org: Org,
    @PublicOrigin() origin: string,
  ): Promise<PaginatedCollOutResponse> {
    return this.lists.list(org, query, origin);
  }

  /** Lists the files of every item of the org. */
  @Get('$all')
  @RequireRole('viewer')
  @Returns(CollectionAllResponse)
  async listAllCollectionFiles(
    @Param() _path: CollectionOrgPath,
    @CurrentOrg() org: Org,
  ): Promise<CollectionAllResponse> {
    return { resources: await this.reader.allResources(org) };
  }

  /** Lists the values that fit the list's filters. */
  @Get('search-values')
  @RequireRole('viewer')
  @Returns(CollectionSearchValuesResponse)
  async getCollectionSearchValues(@Param() { oid }: CollectionOrgPath): Promise<CollectionSearchValuesResponse> {
    return { names: await this.lists.names(oid) };
  }

  /** Returns a collection without its resources. @throws CollectionNotFound */
  @Get(':coll_id')
  @RequireRole('viewer')
  @Returns(CollOut)
  async get(
    @Param() { oid, coll_id: id }: CollectionPath,
    @CurrentOrg() org: Org,
    @PublicOrigin() origin: string,
  ): Promise<CollOut> {
    return this.reader.plain(org, found(await this.repository.find(oid, id)), origin);
  }

  /** Sends a multi-WACZ of all files. @throws CollectionNotFound, DownloadFailed */
  @Get(':coll_id/download')
  @RequireRole('viewer')
  @Returns(binary(), { contentType: 'application/wacz+zip' })
  async download(
    @Param() { oid, coll_id: id }: CollectionPath,
    @CurrentOrg() org: Org,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const collection = found(await this.repository.find(oid, id));
    await sendDownload(request, response, await this.downloads.of(org, collection));
  }

  /** Lists addresses of pages with all their captures. @throws CollectionNotFound */
  @Get(':coll_id/pageUrlCounts')
  @RequireRole('viewer')
  @Returns(PageUrlCountResponse)
  async countCollectionUrls(
    @Param() { oid, coll_id: id }: CollectionPath,
    @Query() query: PageUrlCountsQuery,
  ): Promise<PageUrlCountResponse> {
    return { items: await this.lists.urlCounts(oid, id, query) };
  }
}

/** Changes collections of an org. Contract: archive §7. */
@ApiTags('collections')
@Controller('orgs/:oid/collections')
export class CollectionChangesController {
  constructor(
    private readonly collections: CollectionsService,
    private readonly deletion: CollectionDeletion,
  ) {}

  /** Creates a collection. @throws InvalidFailedOrUnfinishedCrawl, CollectionNameTaken, CollectionSlugTaken */
  @Post()
  @RequireRole('crawler')
  @Returns(AddedResponseIdName)
  async createCollection(@Param() { oid }: CollectionOrgPath, @Body() body: CollIn): Promise<AddedResponseIdName> {
    return { added: true, ...(await this.collections.create(oid, body)) };
  }

  /** Changes a collection. @throws NoUpdateData, CollectionNotFound, CollectionNameTaken, CollectionSlugTaken */
  @Patch(':coll_id')
  @RequireRole('crawler')
  @Returns(UpdatedResponse)
  async updateCollection(
    @Param() { oid, coll_id: id }: CollectionPath,
    @Body() body: UpdateColl,
  ): Promise<UpdatedResponse> {
    await this.collections.update(oid, id, body);
    return { updated: true };
  }

  /** Adds items to a collection, or all successful crawls of workflows. @throws InvalidFailedOrUnfinishedCrawl, CollectionNotFound */
  @Post(':coll_id/add')
  @RequireRole('crawler')
  @Returns(UpdatedResponse)
  async addToCollection(
    @Param() { oid, coll_id: id }: CollectionPath,
    @Body() body: CollectionAddRemove,
  ): Promise<UpdatedResponse> {
    await this.collections.add(oid, id, body);
    return { updated: true };
  }

  /** Removes items from a collection. @throws CollectionNotFound */
  @Post(':coll_id/remove')
  @RequireRole('crawler')
  @Returns(UpdatedResponse)
  async removeFromCollection(
    @Param() { oid, coll_id: id }: CollectionPath,
    @Body() body: CollectionAddRemove,
  ): Promise<UpdatedResponse> {
    await this.collections.remove(oid, id, body);
    return { updated: true };
  }

  /** Sets the page that the collection opens with. @throws PageNotFound, CollectionNotFound */
  @Post(':coll_id/home-url')
  @RequireRole('crawler')
  @Returns(UpdatedResponse)
  async setCollectionHome(
    @Param() { oid, coll_id: id }: CollectionPath,
    @Body() { pageId }: UpdateCollHomeUrl,
  ): Promise<UpdatedResponse> {
    await this.collections.setHome(oid, id, pageId ?? null);
    return { updated: true };
  }

  /** Deletes a collection. Its items stay. @throws CollectionNotFound, NotAllowedWhileDedupeIndexExists, FileDeletionError */
  @Delete(':coll_id')
  @RequireRole('crawler')
  @Returns(SuccessResponse)
  async deleteCollection(@Param() { oid, coll_id: id }: CollectionPath): Promise<SuccessResponse> {
    await this.deletion.delete(oid, id);
    return { success: true };
  }
}
