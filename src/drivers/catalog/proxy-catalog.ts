import { readFile } from 'node:fs/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { AppConfig } from '../../config/app-config.js';
import type { RunProxy } from '../crawl-driver.types.js';
import { parseUrl } from '../../common/text/parse-url.js';

/** A proxy through which crawls can reach the web. */
export interface CrawlerProxyEntry {
  readonly id: string;
  readonly label: string;
  /** The URL may carry credentials, so it is never shown whole. */
  readonly url: string;
  readonly description: string;
  /** Two-letter ISO 3166 code, or empty. */
  readonly countryCode: string;
  /** Private key for ssh; empty when there is none. It is never shown. */
  readonly privateKey: string;
  readonly hostKey: string;
  readonly hasPrivateKey: boolean;
  readonly hasHostKey: boolean;
  /** Whether every org that allows shared proxies may use it. */
  readonly shared: boolean;
}

/** An org's rights to proxies. */
export interface ProxyRights {
  readonly allowSharedProxies?: boolean | null;
  readonly allowedProxies?: readonly string[] | null;
}

/** Whether an org may use a proxy. Contract: crawling §4.10. */
export const isProxyUsable = (proxy: CrawlerProxyEntry, rights: ProxyRights): boolean =>
  (proxy.shared && (rights.allowSharedProxies ?? false)) || (rights.allowedProxies ?? []).includes(proxy.id);

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function readProxies(json: string, file: string, defaultProxyId: string | null): CrawlerProxyEntry[] {
  const parsed: unknown = JSON.parse(json);
  if (!Array.isArray(parsed)) throw new Error(`CRAWLER_PROXIES_JSON: ${file} is no list`);
  return parsed.map((value) => {
    const entry = (value ?? {}) as Record<string, unknown>;
    const id = text(entry['id']);
    const url = text(entry['url']);
    if (!id || !parseUrl(url)) throw new Error(`CRAWLER_PROXIES_JSON: every proxy in ${file} needs an id and a url`);
    return {
      id,
      url,
      label: text(entry['label']) || id,
      description: text(entry['description']),
      countryCode: text(entry['country_code']),
      privateKey: text(entry['ssh_private_key']),
      hostKey: text(entry['ssh_host_public_key']),
      hasPrivateKey: entry['ssh_private_key'] !== undefined && entry['ssh_private_key'] !== null,
      hasHostKey: entry['ssh_host_public_key'] !== undefined && entry['ssh_host_public_key'] !== null,
      shared: entry['shared'] === true || id === defaultProxyId,
    };
  });
}

/**
 * The proxies of the deployment; without the file there are none. The list is read again when the number in
 * CRAWLER_PROXIES_LAST_UPDATE changes. Contract: crawling §15.
 */
@Injectable()
export class ProxyCatalog {
  private readonly logger = new Logger('drivers');
  private entries: readonly CrawlerProxyEntry[] = [];
  private readUpdate: string | null = null;

  private constructor(
    private readonly file: string,
    private readonly updateFile: string,
    /** Id of the proxy that is used where neither workflow nor profile names one. */
    readonly defaultId: string | null,
  ) {}

  /** @throws Error for a malformed list, or a default proxy that is not in it: the program doesn't start */
  static async load({ crawls }: AppConfig): Promise<ProxyCatalog> {
    const proxies = new ProxyCatalog(crawls.proxiesFile, crawls.proxiesUpdateFile, crawls.defaultProxyId);
    await proxies.refresh();
    if (crawls.defaultProxyId && !proxies.entries.some(({ id }) => id === crawls.defaultProxyId))
      throw new Error(`DEFAULT_PROXY_ID: there is no proxy "${crawls.defaultProxyId}"`);
    return proxies;
  }

  async list(): Promise<readonly CrawlerProxyEntry[]> {
    try {
      await this.refresh();
    } catch (error) {
      // While the list is broken or being rewritten, crawls keep the proxies of the last list.
      this.logger.error({ event: 'proxies_unreadable', err: error });
    }
    return this.entries;
  }

  async usableBy(rights: ProxyRights): Promise<CrawlerProxyEntry[]> {
    return (await this.list()).filter((proxy) => isProxyUsable(proxy, rights));
  }

  /** The proxy, for an org. Null when there is no such proxy, or the org may not use it. */
  async findUsable(id: string, rights: ProxyRights): Promise<CrawlerProxyEntry | null> {
    return (await this.usableBy(rights)).find((proxy) => proxy.id === id) ?? null;
  }

  /** The proxy in the form that a run needs. Null when it has been removed. */
  async forRun(id: string): Promise<RunProxy | null> {
    const proxy = (await this.list()).find((entry) => entry.id === id);
    if (!proxy) return null;
    const { url, hasPrivateKey, hasHostKey, privateKey, hostKey } = proxy;
    return {
      id,
      url,
      hasPrivateKey,
      hasHostKey,
      ...(privateKey ? { sshPrivateKey: privateKey } : {}),
      ...(hostKey ? { sshHostKey: hostKey } : {}),
    };
  }

  private async refresh(): Promise<void> {
    if (!this.file || !this.updateFile) return;
    const update = await readIfThere(this.updateFile);
    if (update === null) {
      this.entries = [];
      this.readUpdate = null;
      return;
    }
    if (update === this.readUpdate) return;
    this.entries = readProxies(await readFile(this.file, 'utf8'), this.file, this.defaultId);
    this.readUpdate = update;
  }
}

async function readIfThere(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
