import { Controller, Get, Headers, Param, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../common/access/access.js';
import { PublicOrigin } from '../../links/origins.js';
import { binary, Returns } from '../../common/openapi/returns.js';
import { sendDownload } from '../../wacz/send-download.js';
import { PublicCollectionPath, PublicCollectionsQuery, PublicOrgPath } from '../dto/collection-queries.dto.js';
import { OrgPublicCollections, PublicCollOut } from '../dto/public-collections.dto.js';
import { PublicCollections } from './public-collections.js';

/** Shows an org's collections without login. Contract: archive §7.1. */
@ApiTags('collections', 'public')
@Controller('public/orgs/:org_slug/collections')
export class PublicCollectionsController {
  constructor(private readonly collections: PublicCollections) {}

  /** Lists public collections. @throws PublicProfileNotFound, InvalidSortBy, InvalidSortDirection */
  @Get()
  @Public()
  @Returns(OrgPublicCollections)
  async list(
    @Param() { org_slug: orgSlug }: PublicOrgPath,
    @Query() query: PublicCollectionsQuery,
    @PublicOrigin() origin: string,
  ): Promise<OrgPublicCollections> {
    return this.collections.list(orgSlug, query, origin);
  }

  /** Returns a public or unlisted collection by its present or former slug. @throws CollectionNotFound */
  @Get(':coll_slug')
  @Public()
  @Returns(PublicCollOut)
  async get(@Param() path: PublicCollectionPath, @PublicOrigin() origin: string): Promise<PublicCollOut> {
    return this.collections.get(path, origin);
  }

  /** Sends a multi-WACZ of all files. @throws CollectionNotFound, DownloadNotAllowed, DownloadFailed */
  @Get(':coll_slug/download')
  @Public()
  @Returns(binary(), { contentType: 'application/wacz+zip' })
  async download(
    @Param() path: PublicCollectionPath,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await sendDownload(request, response, await this.collections.download(path));
  }

  /** Sends the image, or 304 to a client that has it. @throws CollectionNotFound, ThumbnailNotFound */
  @Get(':coll_slug/thumbnail')
  @Public()
  @Returns(binary(), { contentType: 'image/*' })
  async getPublicCollectionThumbnail(
    @Param() path: PublicCollectionPath,
    @Headers('if-none-match') known: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    await this.collections.sendThumbnail(path, known, response);
  }
}
