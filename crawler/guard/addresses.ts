import { lookup } from 'node:dns/promises';
import { BlockList, isIP } from 'node:net';

/** IPv4 ranges that no page of a crawl may reach. Design crawler.md §12. */
const BLOCKED_V4: readonly [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** IPv6 ranges likewise: unspecified, loopback, NAT64, 6to4, unique local, link local, site local, multicast. */
const BLOCKED_V6: readonly [string, number][] = [
  ['::', 127],
  ['64:ff9b::', 96],
  ['64:ff9b:1::', 48],
  ['2001::', 32],
  ['2002::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
];

const V4 = BLOCKED_V4.map(([base, bits]) => ({ value: v4Value(base), bits }));
const V6 = BLOCKED_V6.map(([base, bits]) => ({ value: v6Value(base), bits }));

/** Whether the address (IPv4 or IPv6 text as the resolver gives it) is private, local or otherwise not public. */
export function isPrivateAddress(address: string): boolean {
  const text = address.replace(/%.*$/, '');
  const kind = isIP(text);
  if (kind === 4) return blockedV4(v4Value(text));
  if (kind !== 6) return true;
  const value = v6Value(text);
  const high = value >> 32n;
  // ::ffff:a.b.c.d (mapped), ::ffff:0:a.b.c.d (translated) and ::a.b.c.d (compatible) are IPv4 in disguise.
  if (high === 0xffffn || high === 0xffff0000n || high === 0n) return high === 0n || blockedV4(value & 0xffffffffn);
  return V6.some((range) => value >> BigInt(128 - range.bits) === range.value >> BigInt(128 - range.bits));
}

/** The addresses a job may connect to: public ones, and of the others those that its deployment opens. */
export class AddressPolicy {
  private readonly opened = new BlockList();

  /**
   * @param all opens everything
   * @param ranges open these, each an address or `<address>/<bits>`
   * @throws Error for a range that is none
   */
  constructor(
    private readonly all: boolean,
    ranges: readonly string[] = [],
  ) {
    for (const range of ranges) {
      const [address = '', bits] = range.split('/');
      const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
      this.opened.addSubnet(address, bits === undefined ? (family === 'ipv6' ? 128 : 32) : Number(bits), family);
    }
  }

  /** Whether no address is refused. */
  get isOpen(): boolean {
    return this.all;
  }

  permits(address: string): boolean {
    if (this.all || !isPrivateAddress(address)) return true;
    const kind = isIP(address);
    return kind !== 0 && this.opened.check(address, kind === 6 ? 'ipv6' : 'ipv4');
  }
}

export class AddressRefused extends Error {
  constructor(readonly host: string) {
    super(`address of ${host} is private`);
  }
}

export interface Resolved {
  address: string;
  family: 4 | 6;
}

/**
 * Addresses of the host, each checked; the connection must go to one of these and to nothing resolved later.
 * @throws AddressRefused when the policy does not permit each of them.
 */
export async function resolveChecked(host: string, policy: AddressPolicy): Promise<Resolved[]> {
  const name = host.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const literal = isIP(name);
  const found: Resolved[] = literal
    ? [{ address: name, family: literal === 4 ? 4 : 6 }]
    : (await lookup(name, { all: true, verbatim: true })).map(({ address, family }) => ({
        address,
        family: family === 6 ? 6 : 4,
      }));
  if (!found.every(({ address }) => policy.permits(address))) throw new AddressRefused(host);
  return found;
}

function blockedV4(value: bigint): boolean {
  return V4.some((range) => value >> BigInt(32 - range.bits) === range.value >> BigInt(32 - range.bits));
}

function v4Value(text: string): bigint {
  return text.split('.').reduce((sum, part) => (sum << 8n) | BigInt(part), 0n);
}

function v6Value(text: string): bigint {
  const dotted = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  let plain = text;
  if (dotted) {
    const v4 = v4Value(dotted[2]!);
    plain = `${dotted[1]}${(v4 >> 16n).toString(16)}:${(v4 & 0xffffn).toString(16)}`;
  }
  const [head = '', tail] = plain.split('::');
  const left = head === '' ? [] : head.split(':');
  const right = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array.from({ length: 8 - left.length - right.length }, () => '0');
  return [...left, ...zeros, ...right].reduce((sum, part) => (sum << 16n) | BigInt(`0x${part}`), 0n);
}
