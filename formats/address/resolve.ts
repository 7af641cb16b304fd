import { lookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import { promisify } from 'node:util';
import type { AddressPolicy } from './address-policy.js';

/** The host has an address that the policy does not permit, or no address at all. */
export class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED';
  constructor(readonly host: string) {
    super(`refused to connect to ${host}: not a public address`);
  }
}

/** Finds all addresses of a name. Tests replace it with names whose addresses change. */
export type ResolveName = (
  name: string,
  options: LookupOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Resolves names by the system, hosts file included. */
export const resolveBySystem: ResolveName = (name, options, callback) =>
  lookup(name, { ...options, all: true }, callback);

/**
 * Writes a host as the parser of URLs does: 0x7f.1 is 127.0.0.1, full-width digits are digits, IPv6 stands in brackets.
 * @param text host without a port; null for what could not be the host of a URL
 */
export function canonicalHost(text: string): string | null {
  try {
    const url = new URL(`http://${isIP(text) === 6 ? `[${text}]` : text}/`);
    const isHostAlone = url.username === '' && url.password === '' && url.port === '' && url.pathname === '/';
    return isHostAlone && url.search === '' && url.hash === '' ? url.hostname : null;
  } catch {
    return null;
  }
}

/** The host of a URL for `net` and `dns`: an IPv6 address without its brackets. */
export const bareHost = (hostname: string): string => hostname.replace(/^\[|\]$/g, '');

export interface Resolved {
  readonly address: string;
  readonly family: 4 | 6;
}

/**
 * Resolves the host and checks each address. The connection must go to one of them: a later look-up may differ.
 * @throws AddressRefused when the policy does not permit each of them; the resolver's error
 */
export async function resolveChecked(
  host: string,
  policy: AddressPolicy,
  resolve: ResolveName = resolveBySystem,
): Promise<[Resolved, ...Resolved[]]> {
  const name = bareHost(canonicalHost(host) ?? '').replace(/\.$/, '');
  if (name === '') throw new AddressRefused(host);
  const literal = isIP(name);
  const found = literal ? [{ address: name, family: literal }] : await promisify(resolve)(name, { verbatim: true });
  const [first, ...others] = found.map(({ address, family }): Resolved => ({ address, family: family === 6 ? 6 : 4 }));
  if (!first || !found.every(({ address }) => policy.permits(address))) throw new AddressRefused(host);
  return [first, ...others];
}

/**
 * A `lookup` for sockets that answers only what the policy permits. The connection goes to the very address that was
 * checked, so a name that resolves differently a moment later changes nothing. Sockets call it for names only;
 * `assertPermitted` checks hosts that are written as addresses.
 */
export function checkedLookup(policy: AddressPolicy, resolve: ResolveName = resolveBySystem): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, options, (error, addresses) => {
      if (error) return callback(error, []);
      const first = addresses[0];
      const refused = addresses.find(({ address }) => !policy.permits(address));
      if (refused || !first) return callback(new AddressRefused(refused?.address ?? hostname), []);
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}

/** Checks a host that is written as an address; names are checked when they are resolved. @throws AddressRefused */
export function assertPermitted(hostname: string, policy: AddressPolicy): void {
  const host = bareHost(hostname);
  if (isIP(host) !== 0 && !policy.permits(host)) throw new AddressRefused(host);
}
