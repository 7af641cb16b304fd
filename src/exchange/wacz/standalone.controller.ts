import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { CurrentOrg, RequireRole, type AuthedRequest } from '../../common/access/access.js';
import { binary, Returns } from '../../common/openapi/returns.js';
import { DownloadRecord } from '../../items/download-record.js';
import type { Org } from '../../orgs/data/org.schema.js';
import { ItemPath } from '../../pages/dto/page-queries.dto.js';
import { sendDownload } from '../../wacz/send-download.js';
import { CollectionCdxPath } from '../dto/cdx.dto.js';
import { StandaloneWaczs } from './standalone-waczs.js';

/** An item as one WACZ that needs no other. */
@ApiTags('all-crawls')
@Controller('orgs/:oid/all-crawls/:crawl_id/download/wacz')
export class ItemStandaloneController {
  constructor(
    private readonly waczs: StandaloneWaczs,
    private readonly record: DownloadRecord,
  ) {}

  /**
   * Sends the item's files and those that it refers to as one WACZ, which replays by itself. It is made while it is
   * sent, and nobody has signed it.
   * @throws ItemNotFound, NoCrawlResources, UnreadableArchive, ArchiveUnavailable
   */
  @Get()
  @RequireRole('viewer')
  @Returns(binary(), { contentType: 'application/wacz+zip' })
  async download(
    @Param() { crawl_id: itemId }: ItemPath,
    @CurrentOrg() org: Org,
    @Req() request: AuthedRequest,
    @Res() response: Response,
  ): Promise<void> {
    const download = await this.waczs.ofItem(org, itemId);
    await this.record.began(request, { oid: org._id, itemId }, download);
    await sendDownload(request, response, download);
  }
}

/** A collection as one WACZ that needs no other. */
@ApiTags('collections')
@Controller('orgs/:oid/collections/:coll_id/download/wacz')
export class CollectionStandaloneController {
  constructor(private readonly waczs: StandaloneWaczs) {}

  /**
   * Sends all files of the collection and those that it refers to as one WACZ, which replays by itself. It is made
   * while it is sent, and nobody has signed it.
   * @throws CollectionNotFound, NoCrawlResources, UnreadableArchive, ArchiveUnavailable
   */
  @Get()
  @RequireRole('viewer')
  @Returns(binary(), { contentType: 'application/wacz+zip' })
  async download(
    @Param() { coll_id: collectionId }: CollectionCdxPath,
    @CurrentOrg() org: Org,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await sendDownload(request, response, await this.waczs.ofCollection(org, collectionId));
  }
}
