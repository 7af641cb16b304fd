import {
  Controller,
  createParamDecorator,
  Get,
  Header,
  Headers,
  Options,
  Param,
  Res,
  type ExecutionContext,
} from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { CurrentOrg, Public, RequireRole } from '../../common/access/access.js';
import { PublicOrigin } from '../../links/origins.js';
import { Returns } from '../../common/openapi/returns.js';
import type { Org } from '../../orgs/data/org.schema.js';
import { EmptyResponse } from '../../pages/dto/pages.dto.js';
import { CollectionReplay } from './collection-replay.js';
import { CollOut, ResourcesOnly } from '../dto/collections.dto.js';
import { CollectionPath } from '../dto/collection-queries.dto.js';
import { InternalReplay } from './internal-replay.js';
import { tokenOf } from '../../common/access/token.js';

/** Injects the bearer token, or null, into a route that checks it itself. */
const BearerToken = createParamDecorator((_: unknown, context: ExecutionContext) =>
  tokenOf(context.switchToHttp().getRequest<Request>()),
);

/**
 * Answers the player's requests for a collection. It answers 304 while nothing has changed that replay would notice.
 * Contract: archive §7.
 */
@ApiTags('collections')
@Controller('orgs/:oid/collections/:coll_id')
export class CollectionReplayController {
  constructor(
    private readonly replays: CollectionReplay,
    private readonly internals: InternalReplay,
  ) {}

  /** Returns a collection with all that the player needs. @throws CollectionNotFound */
  @Get('replay.json')
  @RequireRole('viewer')
  @Returns(CollOut)
  async getCollectionReplay(
    @Param() { coll_id: id }: CollectionPath,
    @CurrentOrg() org: Org,
    @PublicOrigin() origin: string,
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CollOut | undefined> {
    return this.replays.ofOrg(org, id, { origin, known, response });
  }

  /** Answers without login, from any site. @throws OrgNotFound, CollectionNotFound */
  @Get('public/replay.json')
  @Public()
  @Header('Access-Control-Allow-Origin', '*')
  @Header('Access-Control-Allow-Headers', '*')
  @Returns(CollOut)
  async getPublicCollectionReplay(
    @Param() { oid, coll_id: id }: CollectionPath,
    @PublicOrigin() origin: string,
    @Headers('if-none-match') known: string | undefined,
    @Res({ passthrough: true }) response: Response,
  ): Promise<CollOut | undefined> {
    return this.replays.publicly(oid, id, { origin, known, response });
  }

  /** Answers the preflight of browsers on other sites. */
  @Options('public/replay.json')
  @Public()
  @Header('Access-Control-Allow-Methods', 'GET, HEAD, OPTIONS')
  @Header('Access-Control-Allow-Origin', '*')
  @Header('Access-Control-Allow-Headers', '*')
  @Returns(EmptyResponse)
  preflightPublicCollectionReplay(): EmptyResponse {
    return {};
  }

  /** Answers index jobs inside the deployment. The token opens one collection. @throws AccessDenied */
  @Get('internal/replay.json')
  @Public()
  @Returns(ResourcesOnly)
  async getInternalCollectionReplay(
    @Param() { oid, coll_id: id }: CollectionPath,
    @BearerToken() token: string | null,
  ): Promise<ResourcesOnly> {
    return { resources: await this.internals.resources(oid, id, token) };
  }
}
