import { Injectable } from '@nestjs/common';
import { InputRefused } from '../../common/validation/issue.js';
import { CollectionsRepository } from '../../collections/data/collections.repository.js';
import { AppConfig } from '../../config/app-config.js';
import { ChannelCatalog } from '../../drivers/catalog/channel-catalog.js';
import { ProxyCatalog } from '../../drivers/catalog/proxy-catalog.js';
import type { Org } from '../../orgs/data/org.schema.js';
import { ProfilesRepository } from '../../profiles/data/profiles.repository.js';
import type { BrowserProfile } from '../../profiles/data/browser-profile.schema.js';
import {
  ChannelNotFound,
  DedupeCollectionNotFound,
  ProxyNotUsable,
  WorkflowProfileNotFound,
} from '../workflows.errors.js';

interface WindowInput {
  readonly scale?: number | null;
  readonly browserWindows?: number | null;
}

/** Checks that what a workflow refers to exists and that the org may use it. */
@Injectable()
export class WorkflowChecks {
  constructor(
    private readonly config: AppConfig,
    private readonly channels: ChannelCatalog,
    private readonly proxies: ProxyCatalog,
    private readonly profiles: ProfilesRepository,
    private readonly collections: CollectionsRepository,
  ) {}

  /** Browser windows of one crawler instance. `scale`, the former way to ask for windows, counts instances. */
  get windowsPerInstance(): number {
    return this.config.crawls.windowsPerInstance;
  }

  /** Checks the number of windows against upper bounds, which are settings. @throws InputRefused 422 */
  windowLimits(input: WindowInput): void {
    const { maxBrowserWindows, windowsPerInstance } = this.config.crawls;
    const bounds = { scale: Math.ceil(maxBrowserWindows / windowsPerInstance), browserWindows: maxBrowserWindows };
    const issues = (['scale', 'browserWindows'] as const)
      .filter((field) => (input[field] ?? 0) > bounds[field])
      .map((field) => ({
        type: 'less_than_equal',
        loc: ['body', field],
        msg: `Input should be less than or equal to ${bounds[field]}`,
        input: input[field],
        ctx: { le: bounds[field] },
      }));
    if (issues.length > 0) throw new InputRefused(issues);
  }

  /** @throws ChannelNotFound */
  channel(id: string): void {
    if (!this.channels.find(id)) throw new ChannelNotFound();
  }

  /** @throws ProxyNotUsable when the proxy is unknown or the org may not use it */
  async proxy(org: Org, id: string | null | undefined): Promise<void> {
    if (id && !(await this.proxies.findUsable(id, org))) throw new ProxyNotUsable();
  }

  /** @throws WorkflowProfileNotFound */
  async profile(org: Org, profileId: string): Promise<BrowserProfile> {
    const profile = await this.profiles.find(org._id, profileId);
    if (!profile) throw new WorkflowProfileNotFound();
    return profile;
  }

  /** @throws DedupeCollectionNotFound */
  async dedupeCollection(org: Org, collectionId: string): Promise<void> {
    if (!(await this.collections.exists(org._id, collectionId))) throw new DedupeCollectionNotFound();
  }
}
