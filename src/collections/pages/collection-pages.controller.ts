import { Controller, Get, Header, Options, Param, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Public, RequireRole } from '../../common/access/access.js';
import { Returns } from '../../common/openapi/returns.js';
import { EmptyResponse, PageOutItemsResponse } from '../../pages/dto/pages.dto.js';
import { toPageOut } from '../../pages/page.presenter.js';
import { CollectionPages } from './collection-pages.js';
import { CollectionPagesListQuery, CollectionPath } from '../dto/collection-queries.dto.js';

/** Looks up a collection's pages for the player; readable from any site. Contract: archive §6. */
@ApiTags('pages', 'collections')
@Controller('orgs/:oid/collections/:coll_id')
export class CollectionPagesController {
  constructor(private readonly pages: CollectionPages) {}

  /** Lists pages of a collection. @throws CollectionNotFound, InvalidSortBy, InvalidSortDirection */
  @Get('pages')
  @RequireRole('viewer')
  @Header('Access-Control-Allow-Origin', '*')
  @Header('Access-Control-Allow-Headers', '*')
  @Returns(PageOutItemsResponse)
  async list(
    @Param() { oid, coll_id: id }: CollectionPath,
    @Query() query: CollectionPagesListQuery,
  ): Promise<PageOutItemsResponse> {
    return { items: (await this.pages.ofOrg(oid, id, query)).map(toPageOut) };
  }

  /** Lists pages without login. @throws OrgNotFound, CollectionNotFound */
  @Get('public/pages')
  @Public()
  @Header('Access-Control-Allow-Origin', '*')
  @Header('Access-Control-Allow-Headers', '*')
  @Returns(PageOutItemsResponse)
  async listPublicCollectionPages(
    @Param() { oid, coll_id: id }: CollectionPath,
    @Query() query: CollectionPagesListQuery,
  ): Promise<PageOutItemsResponse> {
    return { items: (await this.pages.publicly(oid, id, query)).map(toPageOut) };
  }

  /** Answers the preflight of browsers on other sites. */
  @Options('pages')
  @Public()
  @Header('Access-Control-Allow-Methods', 'GET, HEAD, OPTIONS')
  @Header('Access-Control-Allow-Origin', '*')
  @Header('Access-Control-Allow-Headers', '*')
  @Returns(EmptyResponse)
  preflightCollectionPages(): EmptyResponse {
    return {};
  }

  /** Answers the preflight of browsers on other sites. */
  @Options('public/pages')
  @Public()
  @Header('Access-Control-Allow-Methods', 'GET, HEAD, OPTIONS')
  @Header('Access-Control-Allow-Origin', '*')
  @Header('Access-Control-Allow-Headers', '*')
  @Returns(EmptyResponse)
  preflightPublicCollectionPages(): EmptyResponse {
    return {};
  }
}
