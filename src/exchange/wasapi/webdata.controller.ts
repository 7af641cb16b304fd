import { Controller, Get, Head, Param, Query, Req, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { Caller, CurrentOrg, RequireRole, RequireUser, type Principal } from '../../common/access/access.js';
import { anything } from '../../common/validation/scalars.js';
import { Returns } from '../../common/openapi/returns.js';
import { PublicOrigin } from '../../links/origins.js';
import type { Org } from '../../orgs/data/org.schema.js';
import { WebdataFilePath, WebdataOut, WebdataQuery } from '../dto/webdata.dto.js';
import { Webdata } from './webdata.js';

/** The data transfer API of web archives, WASAPI 1.0. It takes name and password by HTTP Basic, or a token. */
@ApiTags('wasapi')
@Controller('wasapi/v1/webdata')
export class WebdataController {
  constructor(private readonly webdata: Webdata) {}

  /** Lists the archived files of the caller's orgs. @throws AccountNotFound */
  @Get()
  @RequireUser()
  @Returns(WebdataOut)
  async list(
    @Query() query: WebdataQuery,
    @Caller() caller: Principal,
    @PublicOrigin() origin: string,
    @Req() request: Request,
  ): Promise<WebdataOut> {
    return this.webdata.list(query, { caller, origin, url: request.originalUrl });
  }

  /** Leads to the bytes of a file. @throws ItemNotFound, WebdataFileNotFound */
  @Get(':oid/:crawl_id/:filename')
  @RequireRole('viewer')
  @Returns(anything())
  async file(
    @Param() path: WebdataFilePath,
    @CurrentOrg() org: Org,
    @PublicOrigin() origin: string,
    @Res() response: Response,
  ): Promise<void> {
    response.redirect(302, await this.webdata.locate(org, path, origin));
  }

  /** Leads to the length of a file. */
  @Head(':oid/:crawl_id/:filename')
  @ApiResponse({ status: 200, description: 'The headers of the answer to GET.' })
  @RequireRole('viewer')
  async fileHead(
    @Param() path: WebdataFilePath,
    @CurrentOrg() org: Org,
    @PublicOrigin() origin: string,
    @Res() response: Response,
  ): Promise<void> {
    response.redirect(302, await this.webdata.locate(org, path, origin));
  }
}
