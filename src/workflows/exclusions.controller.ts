import { Controller, Delete, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, CurrentOrg, RequireRole, type Principal } from '../common/access/access.js';
import { KeyScopeIs } from '../common/access/key-scopes.js';
import { Returns } from '../common/openapi/returns.js';
import { SuccessResponse } from '../common/responses/responses.dto.js';
import type { Org } from '../orgs/data/org.schema.js';
import { ExclusionQuery } from './dto/workflow-queries.dto.js';
import { Exclusions } from './exclusions.js';
import { ItemPath } from '../pages/dto/page-queries.dto.js';

@ApiTags('crawls')
@Controller('orgs/:oid/crawls/:crawl_id/exclusions')
export class ExclusionsController {
  constructor(private readonly exclusions: Exclusions) {}

  /**
   * Adds an exclusion to a running crawl and its workflow. Neither this crawl nor later ones visit addresses that
   * match.
   */
  @Post()
  @KeyScopeIs('crawls:run')
  @Returns(SuccessResponse, { notFound: true })
  @RequireRole('crawler')
  async add(
    @Param() { crawl_id: crawlId }: ItemPath,
    @CurrentOrg() org: Org,
    @Caller() actor: Principal,
    @Query() { regex }: ExclusionQuery,
  ): Promise<SuccessResponse> {
    await this.exclusions.change(org, actor, crawlId, { regex, add: true });
    return { success: true };
  }

  /** Removes an exclusion. Addresses that it dropped from the queue do not come back. */
  @Delete()
  @KeyScopeIs('crawls:run')
  @Returns(SuccessResponse, { notFound: true })
  @RequireRole('crawler')
  async remove(
    @Param() { crawl_id: crawlId }: ItemPath,
    @CurrentOrg() org: Org,
    @Caller() actor: Principal,
    @Query() { regex }: ExclusionQuery,
  ): Promise<SuccessResponse> {
    await this.exclusions.change(org, actor, crawlId, { regex, add: false });
    return { success: true };
  }
}
