import { randomBytes } from 'node:crypto';
import { Injectable, Logger } from '@nestjs/common';
import type { Principal } from '../common/access/access.js';
import { newId } from '../common/ids/uuid.js';
import { BrowserDriver, type BrowserRecord } from '../drivers/browser-driver.js';
import { ChannelCatalog } from '../drivers/catalog/channel-catalog.js';
import { ProxyCatalog } from '../drivers/catalog/proxy-catalog.js';
import type { RunProxy } from '../drivers/crawl-driver.types.js';
import type { Org } from '../orgs/data/org.schema.js';
import { Storages, UnknownStorage } from '../storage/storages.js';
import { launchOf, toLabels, type Launch } from './browser-labels.js';
import type { BrowserProfile } from './data/browser-profile.schema.js';
import { ProfilesRepository } from './data/profiles.repository.js';
import type { ProfileLaunchBrowserIn } from './dto/profile-browsers.dto.js';
import {
  BrowserNotCreated,
  InvalidBaseProfile,
  MissingStorage,
  NoSuchBrowser,
  ProfileChannelNotFound,
  ProfileProxyNotFound,
} from './profiles.errors.js';
import { parseUrl } from '../common/text/parse-url.js';

/** The browser is not reachable yet: ask again. An ordinary answer with status 200. Contract: archive §8. */
export const WAITING_FOR_BROWSER = { detail: 'waiting_for_browser' } as const;
export type WaitingForBrowser = typeof WAITING_FOR_BROWSER;

/** Browsers in which people prepare profiles. Each ends by itself 30 s after the last call. */
@Injectable()
export class ProfileBrowsers {
  private readonly logger = new Logger('profiles');

  constructor(
    private readonly driver: BrowserDriver,
    private readonly profiles: ProfilesRepository,
    private readonly channels: ChannelCatalog,
    private readonly proxies: ProxyCatalog,
    private readonly storages: Storages,
  ) {}

  /**
   * @returns the browser's id
   * @throws InvalidBaseProfile, ProfileChannelNotFound, ProfileProxyNotFound, MissingStorage, BrowserNotCreated
   */
  async launch(org: Org, actor: Principal, input: ProfileLaunchBrowserIn): Promise<string> {
    const base = input.profileId ? await this.profiles.find(org._id, input.profileId) : null;
    if (input.profileId && !base?.resource) throw new InvalidBaseProfile();
    const channel = this.channels.find(input.crawlerChannel || base?.crawlerChannel || 'default');
    if (!channel) throw new ProfileChannelNotFound();
    const proxyId = input.proxyId || base?.proxyId || this.proxies.defaultId;
    const proxy = proxyId ? await this.proxy(org, proxyId) : undefined;
    const { image, imagePullPolicy } = this.channels.resolve(channel.id);
    const launch: Launch = {
      profileId: newId(),
      baseProfileId: base?._id ?? null,
      crawlerChannel: channel.id,
      proxyId,
    };
    const browserId = `prf-${randomBytes(5).toString('hex')}`;
    const storage = this.storage(org);
    try {
      await this.driver.start({
        browserId,
        oid: org._id,
        userId: actor.id,
        image,
        imagePullPolicy,
        url: input.url,
        storage,
        ...(base ? { baseProfile: { profileId: base._id, key: keyOf(base, org._id) } } : {}),
        ...(proxy ? { proxy } : {}),
        labels: toLabels(launch),
      });
    } catch (error) {
      this.logger.error({ event: 'browser_not_created', oid: org._id, err: error });
      throw new BrowserNotCreated();
    }
    return browserId;
  }

  /** The origins visited so far and those of the profile it started from. @throws NoSuchBrowser */
  async ping(oid: string, browserId: string): Promise<WaitingForBrowser | { origins: string[] }> {
    const record = await this.find(oid, browserId);
    const state = await this.driver.ping(browserId);
    if (state.state === 'not_found') throw new NoSuchBrowser();
    if (state.state === 'starting') return WAITING_FOR_BROWSER;
    const { baseProfileId } = launchOf(record);
    const base = baseProfileId ? await this.profiles.find(oid, baseProfileId) : null;
    return { origins: mergeOrigins(base?.origins ?? [], state.origins).map(withSlash) };
  }

  /** @throws NoSuchBrowser */
  async navigate(oid: string, browserId: string, url: string): Promise<WaitingForBrowser | null> {
    await this.find(oid, browserId);
    const result = await this.driver.navigate(browserId, url);
    if (result === 'not_found') throw new NoSuchBrowser();
    return result === 'unavailable' ? WAITING_FOR_BROWSER : null;
  }

  /** May be repeated at the driver, but a browser that is gone is reported. @throws NoSuchBrowser */
  async remove(oid: string, browserId: string): Promise<void> {
    await this.find(oid, browserId);
    await this.driver.remove(browserId);
  }

  /** Finds a browser of this org. @throws NoSuchBrowser */
  async find(oid: string, browserId: string): Promise<BrowserRecord> {
    const record = await this.driver.find(browserId);
    if (record?.oid !== oid) throw new NoSuchBrowser();
    return record;
  }

  /** The deployment's default proxy needs no permission of the org. */
  private async proxy(org: Org, proxyId: string): Promise<RunProxy> {
    const mayUse = proxyId === this.proxies.defaultId || (await this.proxies.findUsable(proxyId, org)) !== null;
    const proxy = mayUse ? await this.proxies.forRun(proxyId) : null;
    if (!proxy) throw new ProfileProxyNotFound();
    return proxy;
  }

  /** The files are in the org's folder, also in the org's own storage. */
  private storage(org: Org) {
    try {
      return { ...this.storages.forCrawler(org), keyPrefix: `${org._id}/` };
    } catch (error) {
      if (error instanceof UnknownStorage) throw new MissingStorage();
      throw error;
    }
  }
}

/** Key of a profile's file relative to the org's folder. */
function keyOf({ resource }: BrowserProfile, oid: string): string {
  const filename = resource?.filename ?? '';
  return filename.startsWith(`${oid}/`) ? filename.slice(oid.length + 1) : filename;
}

/** `scheme://host[:port]`; a text that is no address stays as it is. */
const bare = (origin: string): string => parseUrl(origin)?.origin ?? origin;

/** The form of the ping answer only. Contract: archive §8. */
const withSlash = (origin: string): string => `${bare(origin)}/`;

/** The stored origins as written, then the new ones as bare origins; each once, in order. */
export function mergeOrigins(stored: readonly string[], visited: readonly string[]): string[] {
  const known = new Set(stored.map(bare));
  return [...stored, ...new Set(visited.map(bare).filter((origin) => !known.has(origin)))];
}
