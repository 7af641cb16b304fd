import { Injectable } from '@nestjs/common';
import { AppConfig } from '../../config/app-config.js';
import type { Tx } from '../../database/unit-of-work.js';
import { ProxyCatalog } from '../../drivers/catalog/proxy-catalog.js';
import { SeedFilesRepository } from '../../files/data/seed-files.repository.js';
import type { Org } from '../../orgs/data/org.schema.js';
import { ProfilesRepository } from '../../profiles/data/profiles.repository.js';
import type { Workflow } from '../../workflows/data/workflow.schema.js';
import { InvalidProfileId, ProxyNotFound, StartSeedFileNotFound } from '../crawls.errors.js';

/**
 * What a workflow's crawl needs beside its settings. It may have gone since the settings were made. Contract: crawling
 * §4.9.
 */
@Injectable()
export class StartInputs {
  constructor(
    private readonly profiles: ProfilesRepository,
    private readonly proxies: ProxyCatalog,
    private readonly seedFiles: SeedFilesRepository,
    private readonly config: AppConfig,
  ) {}

  /** @throws InvalidProfileId, ProxyNotFound, StartSeedFileNotFound */
  async find(org: Org, workflow: Workflow): Promise<{ proxyId: string | null; profileKey: string | null }> {
    const profile = workflow.profileid ? await this.profiles.find(org._id, workflow.profileid) : null;
    if (workflow.profileid && !profile?.resource) throw new InvalidProfileId();
    const named = workflow.profileid ? profile?.proxyId : workflow.proxyId;
    const proxyId = named || this.config.crawls.defaultProxyId;
    if (proxyId && !(await this.mayUse(org, proxyId))) throw new ProxyNotFound();
    const { seedFileId } = workflow.config;
    if (seedFileId && !(await this.seedFiles.find(org._id, seedFileId))) throw new StartSeedFileNotFound();
    const key = profile?.resource?.filename;
    return { proxyId: proxyId || null, profileKey: key === undefined ? null : withoutOrg(key, org._id) };
  }

  /**
   * Holds the seed file in the transaction that starts a crawl from it, so that a deletion at the same moment finds the
   * crawl.
   * @throws StartSeedFileNotFound
   */
  async take({ oid, config }: Workflow, takenAt: Date, tx: Tx): Promise<void> {
    const { seedFileId } = config;
    if (!seedFileId) return;
    if (!(await this.seedFiles.take(oid, seedFileId, takenAt, tx))) throw new StartSeedFileNotFound();
  }

  /** Whether the org may use the proxy. The deployment's default proxy needs no right of the org's. */
  private async mayUse(org: Org, proxyId: string): Promise<boolean> {
    if (proxyId !== this.config.crawls.defaultProxyId) return (await this.proxies.findUsable(proxyId, org)) !== null;
    return (await this.proxies.forRun(proxyId)) !== null;
  }
}

const withoutOrg = (key: string, oid: string): string => (key.startsWith(`${oid}/`) ? key.slice(oid.length + 1) : key);
