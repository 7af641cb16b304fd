import { Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RequireRole } from '../common/access/access.js';
import { Returns } from '../common/openapi/returns.js';
import { StartedResponse } from '../pages/dto/pages.dto.js';
import { ItemOrgPath } from './dto/item-queries.dto.js';
import { FixityJob } from '../objects/fixity-job.js';

/** Verifies archived files against their records. This route is ours. */
@ApiTags('all-crawls')
@Controller('orgs/:oid/all-crawls')
export class FixityController {
  constructor(private readonly job: FixityJob) {}

  /** Starts the job that verifies all files of the org. Items show the results in `fixity`. */
  @Post('verifyFiles')
  @RequireRole('owner')
  @Returns(StartedResponse)
  async verifyFiles(@Param() { oid }: ItemOrgPath): Promise<StartedResponse> {
    return { started: await this.job.startForOrg(oid) };
  }
}
