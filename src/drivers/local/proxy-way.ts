import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProxyConfig } from '../../../crawler/protocol.js';
import type { RunProxy } from '../crawl-driver.types.js';
import { CrawlerChild } from './crawler-child.js';

/** `ssh` itself gives up after 20 s. */
const OPEN_TIMEOUT_MS = 30_000;
const PREFIX = 'tunnel-';

/** A run's proxy could not be reached. The message is for the user's error log. */
export class ProxyUnreachable extends Error {}

/** A run's connection to its proxy: an address that the crawler can use while the run is running. */
export interface ProxyWay {
  readonly url: string;
  /** Closes the connection. Idempotent. */
  close(): void;
}

/**
 * Opens the connections of runs to their proxies. The service's own user opens ssh tunnels, because that user has a
 * name and may read the keys. The crawler only gets a SOCKS port of this machine.
 */
export class ProxyWays {
  constructor(
    /** Path of the compiled tunnel program. */
    private readonly entry: string,
    /** A folder that no crawler can read. */
    private readonly folder: string,
    private readonly env: Record<string, string>,
  ) {}

  /** @throws ProxyUnreachable with what ssh said */
  async open(jobId: string, proxy: RunProxy): Promise<ProxyWay> {
    if (!proxy.url.startsWith('ssh:')) return { url: proxy.url, close: () => undefined };
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const dir = await mkdtemp(join(this.folder, PREFIX));
    try {
      return await this.tunnel(jobId, await placeKeys(dir, proxy));
    } finally {
      // The keys are deleted: the program that needed them has read them.
      await rm(dir, { recursive: true, force: true });
    }
  }

  /** Deletes the keys that a killed service left. It is called while no tunnel is being opened. */
  async sweep(): Promise<void> {
    for (const entry of await readdir(this.folder, { withFileTypes: true }).catch(() => []))
      if (entry.isDirectory() && entry.name.startsWith(PREFIX))
        await rm(join(this.folder, entry.name), { recursive: true, force: true });
  }

  private async tunnel(jobId: string, proxy: ProxyConfig): Promise<ProxyWay> {
    const logFile = join(this.folder, `${jobId}.tunnel.log`);
    const options = { entry: this.entry, dir: this.folder, env: this.env, logFile };
    const child = await CrawlerChild.start(options, { message: () => undefined, exit: () => undefined });
    const reply = await child.ask({ t: 'tunnel', proxy }, OPEN_TIMEOUT_MS);
    if (reply?.kind === 'tunnel') return { url: reply.socksUrl, close: () => child.kill() };
    child.kill();
    throw new ProxyUnreachable(reply?.error ?? 'ssh did not answer');
  }
}

async function placeKeys(dir: string, { url, sshPrivateKey, sshHostKey }: RunProxy): Promise<ProxyConfig> {
  const config: ProxyConfig = { url };
  if (sshPrivateKey) {
    config.sshPrivateKeyFile = join(dir, 'private-key');
    // OpenSSH accepts no key without a newline at its end.
    await writeFile(config.sshPrivateKeyFile, `${sshPrivateKey.trim()}\n`, { mode: 0o600 });
  }
  if (sshHostKey) {
    config.sshKnownHostsFile = join(dir, 'known-hosts');
    await writeFile(config.sshKnownHostsFile, `${knownHost(url, sshHostKey.trim())}\n`, { mode: 0o600 });
  }
  return config;
}

/** A line of a known_hosts file (sshd(8)). A bare key gets the proxy's own name. */
function knownHost(proxyUrl: string, key: string): string {
  if (!/^(?:ssh-|ecdsa-|sk-)/.test(key)) return key;
  const { hostname, port } = new URL(proxyUrl);
  return `${port === '' || port === '22' ? hostname : `[${hostname}]:${port}`} ${key}`;
}
