import { Injectable } from '@nestjs/common';
import { isSinglePage } from '../../crawls/rules/single-page.js';
import type { StoredCrawlConfig } from '../../items/data/crawl-config.schema.js';
import type { Org } from '../../orgs/data/org.schema.js';
import type { Workflow } from '../data/workflow.schema.js';
import type { UpdateCrawlConfig } from '../dto/workflows.dto.js';
import { checkCustomBehaviors, checkExclude, checkLang, checkSelectLinks } from '../rules/config.rules.js';
import { effectiveProfile, type WantedUpdate } from './plan-update.js';
import { mergeConfig, sentConfig } from '../rules/stored-config.js';
import { ContentCheckNeedsProfile, SeedsOrSeedFile } from '../workflows.errors.js';
import { WorkflowChecks } from './workflow-checks.js';
import { WorkflowSeedFiles } from './workflow-seed-files.js';

type SeedSource = Pick<Workflow, 'firstSeed' | 'seedCount'>;

/**
 * Checks a PATCH against the stored workflow, in the order of crawling §4.2. It also works out what the PATCH asks for.
 */
@Injectable()
export class UpdateChecks {
  constructor(
    private readonly checks: WorkflowChecks,
    private readonly seedFiles: WorkflowSeedFiles,
  ) {}

  /** Works out what a PATCH asks for. `seedSource` is set when the start URLs may have changed. */
  async wanted(
    org: Org,
    stored: Workflow,
    input: UpdateCrawlConfig,
  ): Promise<{ update: WantedUpdate; seedSource: SeedSource | null }> {
    this.checks.windowLimits(input);
    const sent = input.config ? sentConfig(input.config) : null;
    const asked = input.scale ? input.scale * this.checks.windowsPerInstance : (input.browserWindows ?? null);
    if (sent) {
      checkExclude(sent);
      checkSelectLinks(sent);
      checkCustomBehaviors(sent);
      checkLang(sent);
    }
    const config = sent ? mergeConfig(stored.config, sent) : null;
    const isSingle = (sent !== null || asked !== null) && isSinglePage(config ?? stored.config);
    const seedSource = sent && config ? await this.seedSource(org, sent, config) : null;
    this.contentCheck(stored, input, sent?.failOnContentCheck === true, config ?? stored.config);
    await this.profileAndProxy(org, input);
    if (typeof input.crawlerChannel === 'string') this.checks.channel(input.crawlerChannel);
    if (input.dedupeCollId && input.dedupeCollId !== stored.dedupeCollId)
      await this.checks.dedupeCollection(org, input.dedupeCollId);
    return { update: { input, config, browserWindows: isSingle ? 1 : asked }, seedSource };
  }

  private async seedSource(
    org: Org,
    sent: Partial<StoredCrawlConfig>,
    config: StoredCrawlConfig,
  ): Promise<SeedSource | null> {
    if (sent.seedFileId) {
      const file = await this.seedFiles.find(org._id, sent.seedFileId);
      if (sent.seeds && sent.seeds.length > 0) throw new SeedsOrSeedFile();
      return { firstSeed: file.firstSeed ?? '', seedCount: file.seedCount ?? 0 };
    }
    if (config.seedFileId) return null;
    const first = config.seeds?.[0];
    if (!first) throw new SeedsOrSeedFile();
    return { firstSeed: first.url, seedCount: config.seeds?.length ?? 0 };
  }

  /** The content check needs a profile. This is judged when the check is asked for, or when the profile is removed. */
  private contentCheck(
    stored: Workflow,
    { profileid }: UpdateCrawlConfig,
    isSent: boolean,
    config: StoredCrawlConfig,
  ): void {
    if (!isSent && profileid !== '') return;
    if (config.failOnContentCheck && !effectiveProfile(stored, profileid)) throw new ContentCheckNeedsProfile();
  }

  private async profileAndProxy(org: Org, input: UpdateCrawlConfig): Promise<void> {
    if (input.profileid) {
      const profile = await this.checks.profile(org, input.profileid);
      await this.checks.proxy(org, profile.proxyId);
    }
    await this.checks.proxy(org, input.proxyId);
  }
}
