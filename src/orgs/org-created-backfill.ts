import { Injectable, Logger } from '@nestjs/common';
import { Startup } from '../database/startup.js';
import { OrgCreatedRepository } from './data/org-created.repository.js';

/**
 * Gives orgs of before the field `created` the date of their first workflow. Contract: accounts §15.3 (migration 0031),
 * S4. Orgs without workflows stay without.
 */
@Injectable()
export class OrgCreatedBackfill {
  private readonly logger = new Logger('orgs');

  constructor(
    private readonly orgs: OrgCreatedRepository,
    startup: Startup,
  ) {
    startup.register({ name: 'org-created', order: 120, run: () => this.run() });
  }

  async run(): Promise<void> {
    let filled = 0;
    for await (const oid of this.orgs.withoutDate()) {
      const created = await this.orgs.firstWorkflow(oid);
      if (created && (await this.orgs.fill(oid, created))) filled += 1;
    }
    if (filled > 0) this.logger.log({ event: 'org_created_backfilled', count: filled });
  }
}
