import type { AddressInfo, Server } from 'node:net';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { RequestAddress } from '../common/http/request-address.js';
import { AppConfig } from '../config/app-config.js';

/** Listening on all addresses is reached on the loopback one. */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** `http://host:port` of an address that is listened on, as seen from this machine. */
export function originOf({ address, port }: Pick<AddressInfo, 'address' | 'port'>): string {
  const host = LOOPBACK[address] ?? address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${String(port)}`;
}

/** The base of links where no request is at hand, by the settings alone. */
export const settledOrigin = ({ appOrigin, host, port }: AppConfig['http']): string =>
  appOrigin || originOf({ address: host, port });

/** What an org tells of the address that its people use. */
interface OrgAddress {
  /** As a request to its webhook settings stated it. */
  readonly origin?: string | null;
}

/**
 * Where this service is reached: the base of every absolute URL that it hands out, no trailing slash. Each rule has its
 * readers: headers are believed as far as only their sender can be misled by them.
 */
@Injectable()
export class Links {
  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly config: AppConfig,
  ) {}

  /** In an answer, which its asker alone reads. Contract: archive §0 `origin(req)`. */
  inAnswer({ forwarded, own }: RequestAddress): string {
    return forwarded ?? (this.config.http.appOrigin || (own ?? this.ownAddress()));
  }

  /**
   * In a mail that a request has sent: whoever asks for a mail to somebody else must not choose by a header where its
   * token goes, so headers count only where TRUSTED_PROXY_HOPS says that a proxy sets them.
   */
  inMail({ forwarded }: RequestAddress): string {
    return this.config.http.appOrigin || this.behindProxy(forwarded) || this.ownAddress();
  }

  /** In a mail that no request has sent: where the service has been told, or found, that it is. Contract: accounts §13.3. */
  inMailOf(org: OrgAddress): string {
    return this.config.http.appOrigin || this.behindProxy(org.origin) || this.ownAddress();
  }

  /** In a webhook's body, which goes where the org's owners say. Contract: archive §11. */
  inWebhook(org: OrgAddress): string {
    return withoutSlash(org.origin) || this.settled();
  }

  /** What is stored as an org's `origin`. Contract: accounts §6, event-webhook-urls. */
  stated({ forwarded }: RequestAddress): string {
    return forwarded ?? this.config.http.appOrigin;
  }

  /** `url` as crawlers reach it: as it is, or completed when it is only a path. */
  forCrawlers(url: string): string {
    return url.startsWith('/') ? `${this.crawlersOrigin()}${url}` : url;
  }

  /** Where links lead that no request and no org gives an origin. */
  settled(): string {
    return this.config.http.appOrigin || this.ownAddress();
  }

  /** `http://host:port` that is listened on; the configured one before. PORT=0 lets the system choose. */
  private ownAddress(): string {
    const { host, port } = this.config.http;
    return originOf(this.listening() ?? { address: host, port });
  }

  private behindProxy(origin: string | null | undefined): string {
    return this.config.http.trustedProxyHops > 0 ? withoutSlash(origin) : '';
  }

  private crawlersOrigin(): string {
    const { crawls } = this.config;
    // Contract: crawling §14.9, crawlers in containers come in through the frontend.
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
