import type { Logger } from '../channel/logger.js';
import type { ProxyConfig } from '../protocol.js';
import { AddressPolicy } from '../../formats/address/address-policy.js';
import { DirectDialer, ProxyDialer, type Dialer } from './dialer.js';
import { GuardProxy, type GuardEvents } from './guard-proxy.js';
import { SshTunnel } from './ssh-tunnel.js';
import { Traffic } from './traffic.js';

/** Most refused hosts that are named in the log. */
const MAX_REFUSED = 1_000;

/** Names the setting for whoever runs the service, because the browser says only that the answer was empty. */
const reasonFor = (host: string): string =>
  `the address of ${host} is private, which ALLOW_PRIVATE_ADDRESSES=crawls would allow`;

/** All network access of a run: the guard proxy, and the workflow's own proxy behind it. */
export class Network {
  private constructor(
    readonly proxyUrl: string,
    /** The traffic that the browser received. */
    readonly traffic: Traffic,
    private readonly guard: GuardProxy,
    private readonly tunnel: SshTunnel | null,
    private readonly refused: ReadonlySet<string>,
  ) {}

  static async start(
    settings: { allowPrivate: boolean; allowAddresses?: readonly string[]; proxy?: ProxyConfig },
    logger: Logger,
    onUpstreamFailed: () => void,
  ): Promise<Network> {
    const { allowPrivate, allowAddresses, proxy } = settings;
    const policy = new AddressPolicy(allowPrivate, allowAddresses);
    const tunnel = proxy?.url.startsWith('ssh:') ? await SshTunnel.start(proxy) : null;
    const upstream = tunnel?.socksUrl ?? proxy?.url;
    const dialer: Dialer = upstream ? new ProxyDialer(upstream, policy) : new DirectDialer(policy);
    const traffic = new Traffic();
    const refused = new Set<string>();
    const events: GuardEvents = {
      refused: (host) => {
        if (refused.has(host) || refused.size >= MAX_REFUSED) return;
        refused.add(host);
        logger.warn('general', 'Address refused', { host, reason: reasonFor(host) });
      },
      upstreamFailed: (message) => {
        logger.error('proxy', 'Proxy failed', { message });
        onUpstreamFailed();
      },
    };
    const guard = new GuardProxy(dialer, events, traffic);
    return new Network(await guard.start(), traffic, guard, tunnel, refused);
  }

  /** Why an address could not be visited, where that is because its host is private; null otherwise. */
  refusalOf(url: string): string | null {
    const { hostname } = new URL(url);
    return this.refused.has(hostname) ? reasonFor(hostname) : null;
  }

  async close(): Promise<void> {
    await this.guard.close();
    this.tunnel?.close();
  }
}
