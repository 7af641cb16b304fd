import { Controller, Get, Param, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { CurrentOrg, Public, RequireRole } from '../../common/access/access.js';
import { binary, Returns } from '../../common/openapi/returns.js';
import { PublicCollectionPath } from '../../collections/dto/collection-queries.dto.js';
import type { Org } from '../../orgs/data/org.schema.js';
import { ItemPath } from '../../pages/dto/page-queries.dto.js';
import { ExchangedFiles } from '../exchanged-files.js';
import { CdxQuery, CollectionCdxPath, PublicCdxQuery } from '../dto/cdx.dto.js';
import { Captures } from './captures.js';

/** The index of an item. */
@ApiTags('all-crawls')
@Controller('orgs/:oid/all-crawls/:crawl_id/cdx')
export class ItemCdxController {
  constructor(
    private readonly files: ExchangedFiles,
    private readonly captures: Captures,
  ) {}

  /**
   * Sends the index lines of the item's files, sorted, as a CDX server does.
   * @throws ItemNotFound, NoCrawlResources, NoSuchPage, ArchiveUnavailable
   */
  @Get()
  @RequireRole('viewer')
  @Returns(binary(), { contentType: 'text/x-cdxj' })
  async index(
    @Param() { crawl_id: itemId }: ItemPath,
    @Query() query: CdxQuery,
    @CurrentOrg() org: Org,
    @Res() response: Response,
  ): Promise<void> {
    await this.captures.send(await this.files.ofItem(org, itemId), query, response);
  }
}

/** The index of a collection. */
@ApiTags('collections')
@Controller('orgs/:oid/collections/:coll_id/cdx')
export class CollectionCdxController {
  constructor(
    private readonly files: ExchangedFiles,
    private readonly captures: Captures,
  ) {}

  /**
   * Sends the index lines of all files of the collection, sorted, as a CDX server does.
   * @throws CollectionNotFound, NoSuchPage, ArchiveUnavailable
   */
  @Get()
  @RequireRole('viewer')
  @Returns(binary(), { contentType: 'text/x-cdxj' })
  async index(
    @Param() { coll_id: collectionId }: CollectionCdxPath,
    @Query() query: CdxQuery,
    @CurrentOrg() org: Org,
    @Res() response: Response,
  ): Promise<void> {
    await this.captures.send(await this.files.ofCollection(org, collectionId), query, response);
  }
}

/** The CDX server of a public or unlisted collection. */
@ApiTags('collections', 'public')
@Controller('public/orgs/:org_slug/collections/:coll_slug/cdx')
export class PublicCdxController {
  constructor(
    private readonly files: ExchangedFiles,
    private readonly captures: Captures,
  ) {}

  /** Sends the captures of an address, without login and from any site. @throws CollectionNotFound, NoSuchPage */
  @Get()
  @Public()
  @Returns(binary(), { contentType: 'text/x-cdxj' })
  async index(
    @Param() path: PublicCollectionPath,
    @Query() query: PublicCdxQuery,
    @Res() response: Response,
  ): Promise<void> {
    response.set('Access-Control-Allow-Origin', '*');
    await this.captures.send(await this.files.ofPublicCollection(path), query, response);
  }
}
