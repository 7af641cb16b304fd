import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Range = ReturnType<typeof ipaddr.parseCIDR>;

/** The IPv6 space that IANA has assigned (RFC 4291 §2.4). An address outside it, such as ::127.0.0.1, is nobody's. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Parses an address; ::ffff:a.b.c.d gives the IPv4 address, because the system connects to that. Returns null for text
 * that is no address, and for an address with a zone: it is on one of this machine's own links.
 */
function parsed(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const family = text.includes('%') ? 0 : isIP(text);
  if (family === 0) return null;
  // The text goes in in hexadecimal: the library takes ::a.b.c.d for ::ffff:a.b.c.d, which is another address.
  return ipaddr.process(family === 6 ? new URL(`http://[${text}]/`).hostname.slice(1, -1) : text);
}

/**
 * Whether an IP address, as a resolver or a URL's parser writes it, is a public unicast one. IANA's special ranges are
 * refused. So is IPv4 inside IPv6 (NAT64, 6to4, Teredo), because a gateway decides where it leads; only ::ffff:a.b.c.d
 * is judged by its IPv4 address.
 */
export function isPublicAddress(text: string): boolean {
  const address = parsed(text);
  return address?.range() === 'unicast' && (address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST));
}

/** Parses `<address>` or `<address>/<bits>`. @throws Error for any other text */
function rangeOf(text: string): Range {
  const [address = '', bits, ...more] = text.split('/');
  const most = { 4: 32, 6: 128 }[isIP(address)];
  if (most === undefined || address.includes('%') || more.length > 0) throw new Error(`no range of addresses: ${text}`);
  if (bits !== undefined && !(/^\d{1,3}$/.test(bits) && Number(bits) <= most))
    throw new Error(`no range of addresses: ${text}`);
  return [ipaddr.parse(address), bits === undefined ? most : Number(bits)];
}

/** Whether the text is an address or a range that `AddressPolicy` takes. */
export function isAddressRange(text: string): boolean {
  try {
    rangeOf(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * The addresses that content named by users may be fetched from: all public ones, and the private ones that the
 * deployment opens. The API and crawls share this one rule.
 */
export class AddressPolicy {
  /** The policy for hosts that the deployment itself names: they may be anywhere. */
  static readonly open = new AddressPolicy(true);
  static readonly publicOnly = new AddressPolicy(false);

  private readonly opened: readonly Range[];

  /**
   * @param isOpen opens everything
   * @param ranges open these, each an address or `<address>/<bits>`
   * @throws Error for a range that is none
   */
  constructor(
    readonly isOpen: boolean,
    ranges: readonly string[] = [],
  ) {
    this.opened = ranges.map(rangeOf);
  }

  /** @param address an IP address; names are never permitted */
  permits(address: string): boolean {
    if (isIP(address) === 0) return false;
    if (this.isOpen || isPublicAddress(address)) return true;
    const asked = parsed(address);
    return this.opened.some(([base, bits]) => asked?.kind() === base.kind() && asked.match(base, bits));
  }
}
