import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../common/clock/clock.js';
import { AppConfig } from '../../config/app-config.js';
import { isDuplicateKey } from '../../database/org-scoped.js';
import { AtStartup } from '../../database/startup.js';
import { Storages } from '../../storage/storages.js';
import { OrgsRepository } from '../data/orgs.repository.js';
import { newOrg } from './new-org.js';
import { slugFrom } from '../rules/slug.js';

/** Creates the one default org, and renames it when the setting changes. Contract: accounts §14. */
@Injectable()
export class DefaultOrg {
  private readonly logger = new Logger('accounts');

  constructor(
    private readonly orgs: OrgsRepository,
    private readonly storages: Storages,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  @AtStartup('default-org', { after: 'superuser' })
  async ensure(): Promise<void> {
    const name = this.config.accounts.defaultOrgName;
    const existing = await this.orgs.findDefault();
    try {
      if (!existing) await this.create(name);
      else if (existing.name !== name)
        await this.orgs.set(existing._id, { name, slug: slugFrom(name) || existing._id });
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      // Another process that starts at the same time may have been first, or another org has the name.
      if ((await this.orgs.findDefault())?.name !== name)
        this.logger.error({ event: 'default_org_skipped', name, reason: 'another org has the name or its slug' });
    }
  }

  private async create(name: string): Promise<void> {
    await this.orgs.insert(
      newOrg({
        name,
        slug: null,
        created: this.clock.creationTime(),
        storage: this.storages.defaultPrimary,
        dedupeEnabled: this.config.accounts.dedupeEnabledDefault,
        isDefault: true,
      }),
    );
  }
}
