import { Injectable } from '@nestjs/common';
import type { Tx } from '../../database/unit-of-work.js';
import { InvitesRepository } from '../../invites/data/invites.repository.js';
import { JobsRepository } from '../../jobs/data/jobs.repository.js';

/** What lower rooms keep of an org. */
@Injectable()
export class OrgRemains {
  constructor(
    private readonly invites: InvitesRepository,
    private readonly jobs: JobsRepository,
  ) {}

  async deleteInvites(oid: string, tx: Tx): Promise<void> {
    await this.invites.deleteForOrg(oid, tx);
  }

  /** The deletion's own record stays: its outcome is asked for when the org is gone. */
  async deleteJobs(oid: string): Promise<void> {
    await this.jobs.deleteAllOf(oid);
  }
}
