import { Controller, Delete, Get, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { CurrentOrg, RequireRole } from '../common/access/access.js';
import { DeletedResponse } from '../common/responses/responses.dto.js';
import { Returns } from '../common/openapi/returns.js';
import type { Org } from '../orgs/data/org.schema.js';
import { OrgSigningKeys } from './dto/org-keys.dto.js';
import { OrgKeys } from './org-keys.js';

/** The key by which an org's archives are signed. These routes are ours. */
@ApiTags('organizations')
@Controller('orgs/:oid/signing-key')
export class OrgSigningKeyController {
  constructor(private readonly keys: OrgKeys) {}

  /** Returns the public keys that the org has had of its own. */
  @Get()
  @RequireRole('viewer')
  @Returns(OrgSigningKeys)
  async getSigningKeys(@CurrentOrg() org: Org): Promise<OrgSigningKeys> {
    return this.keys.of(org);
  }

  /** Makes a key of the org's own, which signs its archives from now on. The one before it stays published. */
  @Post()
  @RequireRole('owner')
  @Returns(OrgSigningKeys)
  async renewSigningKey(@CurrentOrg() org: Org): Promise<OrgSigningKeys> {
    return this.keys.renew(org);
  }

  /** Lets the installation's key sign for the org again. @throws NoOwnSigningKey */
  @Delete()
  @RequireRole('owner')
  @Returns(DeletedResponse)
  async retireSigningKey(@CurrentOrg() org: Org): Promise<DeletedResponse> {
    await this.keys.retire(org);
    return { deleted: true };
  }
}
