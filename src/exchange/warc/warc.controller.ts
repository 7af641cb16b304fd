import { Controller, Get, Head, Param, Query, Req, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { CurrentOrg, RequireRole } from '../../common/access/access.js';
import { binary, Returns } from '../../common/openapi/returns.js';
import { ItemDetailQuery } from '../../items/dto/item-queries.dto.js';
import type { Org } from '../../orgs/data/org.schema.js';
import { ItemPath } from '../../pages/dto/page-queries.dto.js';
import { sendDownload } from '../../wacz/send-download.js';
import { ItemWarcs } from './item-warcs.js';

/** The WARC of an item. */
@ApiTags('all-crawls')
@Controller('orgs/:oid/all-crawls/:crawl_id/download/warc')
@RequireRole('viewer')
export class ItemWarcController {
  constructor(private readonly warcs: ItemWarcs) {}

  /**
   * Sends the records of the item's files as one `.warc.gz`. Parts can be asked for by `Range`.
   * @throws ItemNotFound, NoCrawlResources, UnreadableArchive, ArchiveUnavailable, DownloadFailed
   */
  @Get()
  @Returns(binary(), { contentType: 'application/warc+gzip' })
  async download(
    @Param() { crawl_id: itemId }: ItemPath,
    @Query() query: ItemDetailQuery,
    @CurrentOrg() org: Org,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await sendDownload(request, response, await this.warcs.of(org, itemId, query));
  }

  /** Tells length and name of the `.warc.gz`. */
  @Head()
  @ApiResponse({ status: 200, description: 'The headers of the answer to GET.' })
  async describe(
    @Param() { crawl_id: itemId }: ItemPath,
    @Query() query: ItemDetailQuery,
    @CurrentOrg() org: Org,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await sendDownload(request, response, await this.warcs.of(org, itemId, query));
  }
}
