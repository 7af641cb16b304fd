import ipaddr from 'ipaddr.js';

/** Where passkeys are good: browsers tie them to a domain, and give them to pages of this origin. */
export interface PasskeyPlace {
  /** WebAuthn's "relying party id". */
  readonly domain: string;
  readonly origin: string;
}

const isLocal = (host: string): boolean => host === 'localhost' || host.endsWith('.localhost');

/**
 * Browsers know passkeys of domains alone, by TLS or on the machine itself. A service on the machine's loopback address
 * has that of `localhost`, by which it is reached as well.
 * @param origin of the service
 * @returns null where there can be no passkeys: an address instead of a name, or a name without TLS
 */
export function passkeyPlace(origin: string): PasskeyPlace | null {
  if (!URL.canParse(origin)) return null;
  const { protocol, hostname, port } = new URL(origin);
  const host = hostname.replace(/^\[|\]$/g, '');
  if (ipaddr.isValid(host)) {
    const isLoopback = ipaddr.process(host).range() === 'loopback' && protocol === 'http:';
    return isLoopback ? { domain: 'localhost', origin: `http://localhost${port ? `:${port}` : ''}` } : null;
  }
  if (protocol !== 'https:' && !isLocal(host)) return null;
  return { domain: host, origin: new URL(origin).origin };
}
