import { lookup as dnsLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import ipaddr from 'ipaddr.js';

/** The address belongs to a private, local or otherwise special range. */
export class AddressRefused extends Error {
  readonly code = 'ADDRESS_REFUSED';
  constructor(readonly address: string) {
    super(`refused to connect to ${address}: not a public address`);
  }
}

/** All that IANA has given out of IPv6 (RFC 4291 §2.4); what lies outside, such as ::127.0.0.1, is nobody's. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether an IP address is a public unicast one. IPv4 inside IPv6 (mapped, NAT64, 6to4, Teredo) is refused with the
 * special ranges: a public service needs none of them.
 */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || parsed.match(GLOBAL_UNICAST);
}

type Callback = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

/** How names become addresses, and which of these are public. Tests bind names that change their minds. */
@Injectable()
export class Names {
  resolve(hostname: string, options: LookupOptions, callback: ResolveCallback): void {
    dnsLookup(hostname, { ...options, all: true }, callback);
  }

  isPublic(address: string): boolean {
    return isPublicAddress(address);
  }
}

export type ResolveCallback = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;

/**
 * A `dns.lookup` that answers only public addresses. The connection goes to the very address that was checked, so a
 * name that resolves differently a moment later changes nothing.
 */
export const publicLookupBy =
  (names: Names) =>
  (hostname: string, options: LookupOptions, callback: Callback): void => {
    names.resolve(hostname, options, (error, addresses) => {
      if (error) return callback(error, []);
      const refused = addresses.find(({ address }) => !names.isPublic(address));
      if (refused) return callback(new AddressRefused(refused.address), []);
      const first = addresses[0];
      if (!first) return callback(new AddressRefused(hostname), []);
      if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };

export const publicLookup = publicLookupBy(new Names());

/** Checks a host that is written as an address; names are checked when they are resolved. @throws AddressRefused */
export function assertPublicHost(url: URL, names = new Names()): void {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !names.isPublic(host)) throw new AddressRefused(host);
}
