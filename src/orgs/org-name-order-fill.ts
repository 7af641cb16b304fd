import { Injectable, Logger } from '@nestjs/common';
import { Startup } from '../database/startup.js';
import { OrgNameOrderRepository } from './data/org-name-order.repository.js';

/** Gives the orgs of a database that was taken over the name that lists are ordered by. */
@Injectable()
export class OrgNameOrderFill {
  private readonly logger = new Logger('orgs');

  constructor(
    private readonly orgs: OrgNameOrderRepository,
    startup: Startup,
  ) {
    startup.register({ name: 'org-name-order', order: 121, run: () => this.run() });
  }

  async run(): Promise<void> {
    const count = await this.orgs.fill();
    if (count > 0) this.logger.log({ event: 'org_name_order_filled', count });
  }
}
