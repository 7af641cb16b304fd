import { Controller, Get, Headers, Param, Query, Req, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../common/access/access.js';
import { PublicOrigin } from '../../links/origins.js';
import { binary, Returns } from '../../common/openapi/returns.js';
import { anything } from '../../common/validation/scalars.js';
import { sendDownload } from '../../wacz/send-download.js';
import { PublicCollectionPath, PublicCollectionsQuery, PublicOrgPath } from '../dto/collection-queries.dto.js';
import { OrgPublicCollections, PublicCollOut } from '../dto/public-collections.dto.js';
import { PublicCollections } from './public-collections.js';

/** What anyone may see of an org's collections. Contract: archive §7.1. */
@ApiTags('collections', 'public')
@Controller('public/orgs/:org_slug/collections')
export class PublicCollectionsController {
  constructor(private readonly collections: PublicCollections) {}

  /** The public ones. @throws PublicProfileNotFound, InvalidSortBy, InvalidSortDirection */
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

  /** By its slug now or before; public and unlisted ones. @throws CollectionNotFound */
  @Get(':coll_slug')
  @Public()
  @Returns(PublicCollOut)
  async get(@Param() path: PublicCollectionPath, @PublicOrigin() origin: string): Promise<PublicCollOut> {
    return this.collections.get(path, origin);
  }

  /** A multi-WACZ of all files. @throws CollectionNotFound, DownloadNotAllowed, DownloadFailed */
  @Get(':coll_slug/download')
  @Public()
  @Returns(binary())
  async download(
    @Param() path: PublicCollectionPath,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await sendDownload(request, response, await this.collections.download(path));
  }

  /** The image's bytes, or 304 for who has them. @throws CollectionNotFound, ThumbnailNotFound */
  @Get(':coll_slug/thumbnail')
  @Public()
  @Returns(anything())
  async thumbnail(
    @Param() path: PublicCollectionPath,
    @Headers('if-none-match') known: string | undefined,
    @Res() response: Response,
  ): Promise<void> {
    await this.collections.sendThumbnail(path, known, response);
  }
}
