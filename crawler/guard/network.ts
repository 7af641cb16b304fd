import type { Logger } from '../channel/logger.js';
import type { ProxyConfig } from '../protocol.js';
import { AddressPolicy } from './addresses.js';
import { DirectDialer, ProxyDialer, type Dialer } from './dialer.js';
import { GuardProxy, type GuardEvents } from './guard-proxy.js';
import { SshTunnel } from './ssh-tunnel.js';
import { Traffic } from './traffic.js';

/** All of a job's way to the web: the guard proxy, and the workflow's own proxy behind it. */
export class Network {
  private constructor(
    readonly proxyUrl: string,
    /** What the browser received. */
    readonly traffic: Traffic,
    private readonly guard: GuardProxy,
    private readonly tunnel: SshTunnel | null,
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
    const reported = new Set<string>();
    const events: GuardEvents = {
      refused: (host) => {
        if (reported.has(host) || reported.size > 1_000) return;
        reported.add(host);
        logger.warn('general', 'Address refused', { host });
      },
      upstreamFailed: (message) => {
        logger.error('proxy', 'Proxy failed', { message });
        onUpstreamFailed();
      },
    };
    const guard = new GuardProxy(dialer, events, traffic);
    return new Network(await guard.start(), traffic, guard, tunnel);
  }

  async close(): Promise<void> {
    await this.guard.close();
    this.tunnel?.close();
  }
}
