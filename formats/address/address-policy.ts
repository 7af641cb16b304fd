import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

type Range = ReturnType<typeof ipaddr.parseCIDR>;

/** All that IANA has given out of IPv6 (RFC 4291 §2.4); what lies outside, such as ::127.0.0.1, is nobody's. */
const GLOBAL_UNICAST = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * The address itself; of ::ffff:a.b.c.d the IPv4 address, which the system connects to. Null for text that is none, and
 * for an address with a zone: it is one of this machine's own links.
 */
function parsed(text: string): ipaddr.IPv4 | ipaddr.IPv6 | null {
  const family = text.includes('%') ? 0 : isIP(text);
  if (family === 0) return null;
  // In hexadecimal: the library takes ::a.b.c.d for ::ffff:a.b.c.d, which is another address.
  return ipaddr.process(family === 6 ? new URL(`http://[${text}]/`).hostname.slice(1, -1) : text);
}

/**
 * Whether an IP address, as a resolver or a URL's parser writes it, is a public unicast one. Except as ::ffff:a.b.c.d,
 * IPv4 inside IPv6 (NAT64, 6to4, Teredo) is refused with the special ranges of IANA's registries: where it leads is a
 * gateway's decision.
 */
export function isPublicAddress(text: string): boolean {
  const address = parsed(text);
  return address?.range() === 'unicast' && (address instanceof ipaddr.IPv4 || address.match(GLOBAL_UNICAST));
}

/** `<address>` or `<address>/<bits>`. @throws Error for what is none */
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
 * The addresses that what users name may be fetched from: public ones, and of the others those that the deployment
 * opens. The one rule of the API and of crawls.
 */
export class AddressPolicy {
  /** What the deployment itself names may be anywhere. */
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

  /** @param address an IP address; a name is not permitted by itself */
  permits(address: string): boolean {
    if (isIP(address) === 0) return false;
    if (this.isOpen || isPublicAddress(address)) return true;
    const asked = parsed(address);
    return this.opened.some(([base, bits]) => asked?.kind() === base.kind() && asked.match(base, bits));
  }
}
