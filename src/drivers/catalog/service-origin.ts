import type { AddressInfo, Server } from 'node:net';
import { Injectable } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import { AppConfig } from '../../config/app-config.js';

/** Listening on all addresses is reached on the loopback one. */
const LOOPBACK: Readonly<Record<string, string>> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/** `http://host:port` of an address that is listened on, as seen from this machine. */
export function originOf({ address, port }: Pick<AddressInfo, 'address' | 'port'>): string {
  const host = LOOPBACK[address] ?? address;
  return `http://${host.includes(':') ? `[${host}]` : host}:${String(port)}`;
}

/** Where crawlers reach this service, for files that have no address of their own. */
@Injectable()
export class ServiceOrigin {
  constructor(
    private readonly adapter: HttpAdapterHost,
    private readonly config: AppConfig,
  ) {}

  /** `url` as it is, or completed when it is only a path. */
  absolute(url: string): string {
    return url.startsWith('/') ? `${this.origin()}${url}` : url;
  }

  private origin(): string {
    const { http, crawls } = this.config;
    // Contract: crawling §14.9, crawlers in containers come in through the frontend.
    if (crawls.driver === 'docker' || crawls.driver === 'kubernetes') return crawls.frontendOrigin;
    return crawls.backendOrigin || originOf(this.listening() ?? { address: http.host, port: http.port });
  }

  /** Null before the service listens. PORT=0 lets the system choose, and a crawler beside it must know what it chose. */
  private listening(): AddressInfo | null {
    const server = this.adapter.httpAdapter?.getHttpServer() as Server | undefined;
    const address = server?.address();
    return address && typeof address === 'object' ? address : null;
  }
}
