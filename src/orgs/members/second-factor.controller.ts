import { Body, Controller, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, CurrentOrg, RequireRole, type Principal } from '../../common/access/access.js';
import { Returns } from '../../common/openapi/returns.js';
import { UpdatedResponse } from '../../common/responses/responses.dto.js';
import type { Org } from '../data/org.schema.js';
import { OrgSecondFactorIn, OrgSecondFactorOut } from '../dto/org-members.dto.js';
import { OrgPath } from '../dto/orgs.dto.js';
import { MembersFactors } from './members-factors.js';

/** Whether an org wants a second factor of its members. Addition to the contract, docs/second-factor.md. */
@ApiTags('organizations')
@Controller('orgs/:oid/second-factor')
export class OrgSecondFactorController {
  constructor(private readonly factors: MembersFactors) {}

  /** Shows whether members need a second factor, and which of them have one. */
  @Get()
  @RequireRole('owner')
  @Returns(OrgSecondFactorOut, { notFound: true })
  getOrgSecondFactor(@Param() _path: OrgPath, @CurrentOrg() org: Org): Promise<OrgSecondFactorOut> {
    return this.factors.show(org);
  }

  /**
   * Sets whether members need a second factor, superusers too. Who has none gets no further than setting one up. Whoever
   * demands it has to have come with one. API keys and the shared secret stay as they are. @throws SecondFactorDemanded
   */
  @Post()
  @RequireRole('owner')
  @Returns(UpdatedResponse, { notFound: true })
  async setOrgSecondFactor(
    @Param() { oid }: OrgPath,
    @Caller() caller: Principal,
    @Body() { demanded }: OrgSecondFactorIn,
  ): Promise<UpdatedResponse> {
    await this.factors.demand(oid, caller, demanded);
    return { updated: true };
  }
}
