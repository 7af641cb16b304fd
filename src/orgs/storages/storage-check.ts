import { Injectable } from '@nestjs/common';
import { AtStartup } from '../../database/startup.js';
import { Storages } from '../../storage/storages.js';
import { OrgStoragesRepository } from '../data/org-storages.repository.js';

/** Refuses to start when an org uses a storage that is not configured. Contract: archive.md §2.1. */
@Injectable()
export class StorageCheck {
  constructor(
    private readonly storages: Storages,
    private readonly orgs: OrgStoragesRepository,
  ) {}

  /** @throws Error naming the storages, which stops the start */
  @AtStartup('storages of orgs', { after: 'org-name-order' })
  async run(): Promise<void> {
    const known = new Set(this.storages.defaultRefs.map(({ name }) => name));
    const unknown = (await this.orgs.defaultNamesInUse()).filter((name) => !known.has(name));
    if (unknown.length === 0) return;
    throw new Error(
      `STORAGES_JSON lacks storages that orgs use: ${unknown.join(', ')}. Configured: ${[...known].join(', ')}.`,
    );
  }
}
