import type { AddressInfo, Server } from 'node:net';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { RequestAddress } from '../common/http/request-address.js';
import { AppConfig } from '../config/app-config.js';

/** A service listening on all addresses is reached on the loopback one. */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** `http://host:port` of a listening address, as seen from this machine. */
export function originOf({ address, port }: Pick<AddressInfo, 'address' | 'port'>): string {
  const host = LOOPBACK[address] ?? address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${String(port)}`;
}

/** The base of links without a request, from the settings alone. */
export const settledOrigin = ({ appOrigin, host, port }: AppConfig['http']): string =>
  appOrigin || originOf({ address: host, port });

/** The org's fields about the address that its people use. */
interface OrgAddress {
  /** Origin stated by a request to its webhook settings. */
  readonly origin?: string | null;
}

/**
 * The base of every absolute URL that this service hands out, without trailing slash. There is a rule for each kind of
 * reader. Headers are believed only where they can mislead nobody but their sender.
 */
@Injectable()
export class Links {
  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly config: AppConfig,
  ) {}

  /** The base in an answer, which only its requester reads. Contract: archive §0 `origin(req)`. */
  inAnswer({ forwarded, own }: RequestAddress): string {
    if (own && this.isReplayOrigin(forwarded ?? own)) return forwarded ?? own;
    return forwarded ?? (this.config.http.appOrigin || (own ?? this.ownAddress()));
  }

  /** The player may only ask its own origin, whatever APP_ORIGIN says. */
  private isReplayOrigin(origin: string): boolean {
    const { replayOrigin, replayPort } = this.config.http;
    return (
      origin === replayOrigin ||
      (replayPort !== 0 && URL.canParse(origin) && new URL(origin).port === String(replayPort))
    );
  }

  /**
   * The base in a mail that a request causes. Its sender must not direct somebody else's token by a header. So headers
   * count only when TRUSTED_PROXY_HOPS says that a proxy sets them.
   */
  inMail({ forwarded }: RequestAddress): string {
    return this.config.http.appOrigin || this.behindProxy(forwarded) || this.ownAddress();
  }

  /** The base in a mail without a request: the address that the service was told or found. Contract: accounts §13.3. */
  inMailOf(org: OrgAddress): string {
    return this.config.http.appOrigin || this.behindProxy(org.origin) || this.ownAddress();
  }

  /** The base in a webhook's body, whose receiver the org's owners choose. Contract: archive §11. */
  inWebhook(org: OrgAddress): string {
    return withoutSlash(org.origin) || this.settled();
  }

  /** The value stored as an org's `origin`. Contract: accounts §6, event-webhook-urls. */
  stated({ forwarded }: RequestAddress): string {
    return forwarded ?? this.config.http.appOrigin;
  }

  /** `url` as crawlers reach it. A mere path is completed. */
  forCrawlers(url: string): string {
    return url.startsWith('/') ? `${this.crawlersOrigin()}${url}` : url;
  }

  /** The base of links without a request or an org. */
  settled(): string {
    return this.config.http.appOrigin || this.ownAddress();
  }

  /** `http://host:port` of the listening socket; before, the configured one. PORT=0 lets the system choose. */
  private ownAddress(): string {
    const { host, port } = this.config.http;
    return originOf(this.listening() ?? { address: host, port });
  }

  private behindProxy(origin: string | null | undefined): string {
    return this.config.http.trustedProxyHops > 0 ? withoutSlash(origin) : '';
  }

  private crawlersOrigin(): string {
    const { crawls } = this.config;
    // Crawlers in containers come in through the frontend. Contract: crawling §14.9.
    if (crawls.inContainers) return crawls.frontendOrigin;
    return crawls.backendOrigin || this.ownAddress();
  }

  private listening(): AddressInfo | null {
    const server = this.adapter.httpAdapter?.getHttpServer() as Server | undefined;
    const address = server?.address();
    return address && typeof address === 'object' ? address : null;
  }
}

const withoutSlash = (origin: string | null | undefined): string => (origin ?? '').replace(/\/+$/, '');
