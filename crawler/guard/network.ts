import type { Logger } from '../channel/logger.js';
import type { ProxyConfig } from '../protocol.js';
import { DirectDialer, ProxyDialer, type Dialer } from './dialer.js';
import { GuardProxy } from './guard-proxy.js';
import { SshTunnel } from './ssh-tunnel.js';

/** All of a job's way to the web: the guard proxy, and the workflow's own proxy behind it. */
export class Network {
  private constructor(
    readonly proxyUrl: string,
    private readonly guard: GuardProxy,
    private readonly tunnel: SshTunnel | null,
  ) {}

  static async start(
    settings: { allowPrivate: boolean; proxy?: ProxyConfig },
    logger: Logger,
    onUpstreamFailed: () => void,
  ): Promise<Network> {
    const { allowPrivate, proxy } = settings;
    const tunnel = proxy?.url.startsWith('ssh:') ? await SshTunnel.start(proxy) : null;
    const upstream = tunnel?.socksUrl ?? proxy?.url;
    const dialer: Dialer = upstream ? new ProxyDialer(upstream, allowPrivate) : new DirectDialer(allowPrivate);
    const reported = new Set<string>();
    const guard = new GuardProxy(dialer, {
      refused: (host) => {
        if (reported.has(host) || reported.size > 1_000) return;
        reported.add(host);
        logger.warn('general', 'Address refused', { host });
      },
      upstreamFailed: (message) => {
        logger.error('proxy', 'Proxy failed', { message });
        onUpstreamFailed();
      },
    });
    return new Network(await guard.start(), guard, tunnel);
  }

  async close(): Promise<void> {
    await this.guard.close();
    this.tunnel?.close();
  }
}
