import { Injectable } from '@nestjs/common';
import { AuditTrail } from '../../audit/audit-trail.js';
import { OneOf } from '../../common/validation/fields.js';
import { JobFields } from '../../jobs/dto/job-fields.dto.js';
import { DomainEvents } from '../../events/domain-events.js';
import { InvitesRepository } from '../../invites/data/invites.repository.js';
import { HandlesJob, type JobContext, type JobHandler } from '../../jobs/job-handlers.js';
import { outlivingOrgs } from '../../jobs/job-kind.js';
import type { Job } from '../../jobs/data/job.schema.js';
import { JobsRepository } from '../../jobs/data/jobs.repository.js';
import { UsersRepository } from '../../users/data/users.repository.js';
import { OrgMembersRepository } from '../data/org-members.repository.js';
import { OrgsRepository } from '../data/orgs.repository.js';
import { OrgData } from '../org-data.js';

declare module '../../jobs/job-kind.js' {
  interface JobTypes {
    readonly 'delete-org': true;
  }
}

export class DeleteOrgJob extends JobFields {
  @OneOf(['delete-org']) type = 'delete-org' as const;
}

/**
 * Deletes an org. First the rooms delete what they keep for it, in their order. Then one transaction deletes the
 * accounts that are in no other org, the invites and the org. Every step may be repeated, so a killed deletion
 * continues where it stopped. Contract: accounts §11.
 */
@HandlesJob({
  type: 'delete-org',
  after: 'delete-replica',
  body: DeleteOrgJob,
  idOf: ({ oid }) => `delete-org-${oid}`,
  // Clients ask for the job's outcome after the org is gone.
  outlivesOrg: 'all',
})
@Injectable()
export class OrgDeletion implements JobHandler {
  readonly concurrency = 1;
  /** A store that is away for some minutes fails one try, not the deletion. */
  readonly maxTries = 6;

  constructor(
    private readonly data: OrgData,
    private readonly orgs: OrgsRepository,
    private readonly members: OrgMembersRepository,
    private readonly users: UsersRepository,
    private readonly invites: InvitesRepository,
    private readonly jobs: JobsRepository,
    private readonly events: DomainEvents,
    private readonly trail: AuditTrail,
  ) {}

  async run({ oid }: Job, { signal, log }: JobContext): Promise<void> {
    if (oid === null) throw new Error('a delete-org job without an org');
    // A read-only org starts no crawls, uploads or scheduled crawls during the deletion.
    await this.orgs.set(oid, { readOnly: true, readOnlyReason: 'deletion' });
    for (const { mark, wearer: owner } of this.data.owners) {
      signal.throwIfAborted();
      await owner.deleteForOrg(oid);
      await log(`deleted ${mark.name}`);
    }
    signal.throwIfAborted();
    await this.deleteOrg(oid);
    await this.jobs.deleteAllOf(oid, outlivingOrgs());
  }

  private async deleteOrg(oid: string): Promise<void> {
    await this.events.transact(async (tx, record) => {
      const org = await this.orgs.findById(oid, tx);
      if (!org) return;
      const lonely = await this.members.onlyHere(oid, Object.keys(org.users ?? {}), tx);
      await this.users.deleteNormal(lonely, tx);
      if (lonely.length > 0) record('users.deleted', { userIds: lonely });
      await this.invites.deleteForOrg(oid, tx);
      await this.orgs.delete(oid, tx);
      await this.trail.record({ action: 'system.orgDeleted', oid }, tx);
    });
  }
}
