import { Injectable } from '@nestjs/common';
import ISO6391 from 'iso-639-1';
import { Clock } from '../../common/clock/clock.js';
import { declaredFields } from '../../common/validation/declared-fields.js';
import { wasSent } from '../../common/validation/parse-model.js';
import { ProxyCatalog } from '../../drivers/catalog/proxy-catalog.js';
import { OrgsRepository } from '../data/orgs.repository.js';
import type { CrawlingDefaults, Org } from '../data/org.schema.js';
import {
  type CrawlConfigDefaults,
  type FeatureFlagsPartial,
  type OrgProxies,
  type OrgReadOnlyUpdate,
  webhookUrlsOf,
  type OrgWebhookUrls,
  type RenameOrg,
} from '../dto/org-settings.dto.js';
import { OrgPublicProfile, type OrgPublicProfileUpdate } from '../dto/orgs.dto.js';
import { OrgSettingChanges } from '../org-setting-changes.js';
import { OrgNames } from '../org-names.js';
import { InvalidLang, NoUpdateData } from '../orgs.errors.js';

/** Changes the settings that owners and superusers make on an org. Contract: accounts §7.5, §7.6. */
@Injectable()
export class OrgSettings {
  constructor(
    private readonly orgs: OrgsRepository,
    private readonly names: OrgNames,
    private readonly proxies: ProxyCatalog,
    private readonly changes: OrgSettingChanges,
    private readonly clock: Clock,
  ) {}

  /** Renames an org. @throws InvalidSlug, DuplicateOrgName, DuplicateOrgSlug */
  async rename({ _id }: Org, { name, slug: given }: RenameOrg): Promise<void> {
    const slug = this.names.slugOf(given, name, _id);
    await this.names.claiming({ _id, name, slug }, () =>
      this.changes.run(_id, (tx) => this.orgs.set(_id, { name, slug }, { tx })),
    );
  }

  /**
   * Sets which proxies the org may use. A suggested proxy that it may no longer use is removed. Ids are not checked.
   */
  async setProxies({ _id }: Org, rights: OrgProxies): Promise<void> {
    const usable = await this.proxies.usableBy(rights);
    const ids = usable.map(({ id }) => id);
    await this.changes.run(_id, (tx) => this.orgs.setProxies(_id, rights, ids, tx));
  }

  /** Sets feature flags. Null and absent flags stay as they are. */
  async setFeatureFlags({ _id }: Org, { dedupeEnabled }: FeatureFlagsPartial): Promise<void> {
    if (dedupeEnabled === null || dedupeEnabled === undefined) return;
    await this.changes.run(_id, (tx) => this.orgs.merge(_id, 'featureFlags', { dedupeEnabled }, tx));
  }

  async setReadOnly({ _id }: Org, { readOnly, readOnlyReason }: OrgReadOnlyUpdate): Promise<void> {
    await this.set(_id, { readOnly, readOnlyReason: readOnly ? (readOnlyReason ?? null) : '' });
  }

  async setReadOnlyOnCancel({ _id }: Org, readOnlyOnCancel: boolean): Promise<void> {
    await this.changes.run(_id, (tx) => this.orgs.setReadOnlyOnCancel(_id, readOnlyOnCancel, tx));
  }

  /**
   * Changes the public profile. An absent field stays. Null empties a text, and is ignored for a switch (D15).
   * @throws NoUpdateData
   */
  async setPublicProfile({ _id }: Org, body: OrgPublicProfileUpdate): Promise<void> {
    const set: Partial<Org> = {};
    for (const { name, default: otherwise } of declaredFields(OrgPublicProfile)) {
      const value = body[name as keyof OrgPublicProfile];
      const isIgnored = value === null && typeof otherwise === 'boolean';
      if (wasSent(body, name) && !isIgnored) Object.assign(set, { [name]: value });
    }
    if (Object.keys(set).length === 0) throw new NoUpdateData();
    await this.set(_id, set);
  }

  /** Replaces all webhook URLs; a URL that is not sent becomes null. It also stores the base URL of the request. */
  async setWebhookUrls({ _id }: Org, urls: OrgWebhookUrls, origin: string): Promise<void> {
    await this.set(_id, { webhookUrls: webhookUrlsOf(urls), origin });
  }

  /** Replaces all suggestions for new workflows. @throws InvalidLang */
  async setCrawlingDefaults({ _id }: Org, body: CrawlConfigDefaults): Promise<void> {
    if (body.lang && !ISO6391.validate(body.lang)) throw new InvalidLang();
    const crawlingDefaults: Required<CrawlingDefaults> = {
      crawlTimeout: body.crawlTimeout ?? null,
      maxCrawlSize: body.maxCrawlSize ?? null,
      pageLoadTimeout: body.pageLoadTimeout ?? null,
      postLoadDelay: body.postLoadDelay ?? null,
      behaviorTimeout: body.behaviorTimeout ?? null,
      pageExtraDelay: body.pageExtraDelay ?? null,
      blockAds: body.blockAds ?? null,
      profileid: body.profileid ?? null,
      crawlerChannel: body.crawlerChannel ?? null,
      proxyId: body.proxyId ?? null,
      lang: body.lang ?? null,
      userAgent: body.userAgent ?? null,
      exclude: body.exclude ?? null,
      customBehaviors: body.customBehaviors,
      dedupeCollId: body.dedupeCollId ?? null,
    };
    await this.set(_id, { crawlingDefaults });
  }

  async setNote({ _id }: Org, note: string | null): Promise<void> {
    await this.set(_id, { note });
  }

  /** Lets download URLs be signed anew from now on. @param oid the org; null for all orgs */
  async clearPresignedUrls(oid: string | null): Promise<void> {
    await this.orgs.clearPresigned(oid, this.clock.now());
  }

  private async set(oid: string, set: Partial<Org>): Promise<void> {
    await this.changes.run(oid, (tx) => this.orgs.set(oid, set, { tx }));
  }
}
