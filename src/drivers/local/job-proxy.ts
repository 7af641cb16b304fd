import { join } from 'node:path';
import type { ProxyConfig } from '../../../crawler/protocol.js';
import type { JobProxy } from '../crawl-driver.types.js';
import type { WorkDir } from './work-dir.js';

/** In the job's directory, which no one but the crawler's user reads, and which goes with the job. */
const KEY_FILE = 'proxy-private-key';
const HOSTS_FILE = 'proxy-known-hosts';

/** Puts the keys of a proxy that is reached by ssh beside the job's config. */
export async function placeProxyKeys(dir: WorkDir, { url, sshPrivateKey, sshHostKey }: JobProxy): Promise<void> {
  // OpenSSH takes no key without the newline at its end.
  if (sshPrivateKey) await dir.write(KEY_FILE, `${sshPrivateKey.trim()}\n`);
  if (sshHostKey) await dir.write(HOSTS_FILE, `${knownHost(url, sshHostKey.trim())}\n`);
}

/** The proxy as the child is told of it. */
export function proxyConfig(folder: string, { url, sshPrivateKey, sshHostKey }: JobProxy): ProxyConfig {
  return {
    url,
    ...(sshPrivateKey ? { sshPrivateKeyFile: join(folder, KEY_FILE) } : {}),
    ...(sshHostKey ? { sshKnownHostsFile: join(folder, HOSTS_FILE) } : {}),
  };
}

/** A line of a known_hosts file (sshd(8)); a bare key gets the proxy's own name. */
function knownHost(proxyUrl: string, key: string): string {
  if (!/^(?:ssh-|ecdsa-|sk-)/.test(key)) return key;
  const { hostname, port } = new URL(proxyUrl);
  return `${port === '' || port === '22' ? hostname : `[${hostname}]:${port}`} ${key}`;
}
