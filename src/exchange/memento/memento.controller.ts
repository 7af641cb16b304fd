import { Controller, Get, Head, Headers, Param, Req, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Public } from '../../common/access/access.js';
import { binary, Returns } from '../../common/openapi/returns.js';
import { anything } from '../../common/validation/scalars.js';
import { PublicCollectionPath } from '../../collections/dto/collection-queries.dto.js';
import { PublicOrigin } from '../../links/origins.js';
import { MementoPath } from '../dto/cdx.dto.js';
import { AskedUrl } from './asked-url.js';
import { MementoServer } from './memento-server.js';

/** Public and unlisted collections as an archive of Memento, RFC 7089. The address follows each path as it is. */
@ApiTags('collections', 'public')
@Controller('public/orgs/:org_slug/collections/:coll_slug')
@Public()
export class MementoController {
  constructor(private readonly server: MementoServer) {}

  /**
   * TimeGate: leads to the memento nearest to `Accept-Datetime`, or to the last.
   * @throws CollectionNotFound, NoCaptures, InvalidDatetime, InvalidUrl
   */
  @Get('timegate/*url')
  @Returns(anything())
  async timegate(
    @Param() path: PublicCollectionPath,
    @AskedUrl() url: string,
    @Headers('accept-datetime') wanted: string | undefined,
    @PublicOrigin() origin: string,
    @Res() response: Response,
  ): Promise<void> {
    await this.server.negotiate({ path, url, origin }, wanted, response);
  }

  /** TimeGate for clients that need no body. */
  @Head('timegate/*url')
  @ApiResponse({ status: 200, description: 'The headers of the answer to GET.' })
  async timegateHead(
    @Param() path: PublicCollectionPath,
    @AskedUrl() url: string,
    @Headers('accept-datetime') wanted: string | undefined,
    @PublicOrigin() origin: string,
    @Res() response: Response,
  ): Promise<void> {
    await this.server.negotiate({ path, url, origin }, wanted, response);
  }

  /** TimeMap: all mementos of the address. @throws CollectionNotFound, NoCaptures, InvalidUrl */
  @Get('timemap/link/*url')
  @Returns(binary(), { contentType: 'application/link-format' })
  async timemap(
    @Param() path: PublicCollectionPath,
    @AskedUrl() url: string,
    @PublicOrigin() origin: string,
    @Res() response: Response,
  ): Promise<void> {
    await this.server.list({ path, url, origin }, 'link', response);
  }

  /** TimeMap as JSON. @throws CollectionNotFound, NoCaptures, InvalidUrl */
  @Get('timemap/json/*url')
  @Returns(anything())
  async timemapJson(
    @Param() path: PublicCollectionPath,
    @AskedUrl() url: string,
    @PublicOrigin() origin: string,
    @Res() response: Response,
  ): Promise<void> {
    await this.server.list({ path, url, origin }, 'json', response);
  }

  /**
   * Memento: a page that leads to replay; with `id_` behind the time the archived bytes. Another time than that of a
   * memento leads to the nearest one. @throws CollectionNotFound, NoCaptures, InvalidUrl
   */
  @Get('memento/:time/*url')
  @Returns(binary(), { contentType: 'text/html' })
  async memento(
    @Param() path: MementoPath,
    @AskedUrl() url: string,
    @PublicOrigin() origin: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.server.show({ path, url, origin }, path.time, { request, response });
  }

  /** Tells about a memento. */
  @Head('memento/:time/*url')
  @ApiResponse({ status: 200, description: 'The headers of the answer to GET.' })
  async mementoHead(
    @Param() path: MementoPath,
    @AskedUrl() url: string,
    @PublicOrigin() origin: string,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    await this.server.show({ path, url, origin }, path.time, { request, response });
  }
}
