import { AddressPolicy, isAddressRange, isPublicAddress } from './address-policy.js';

/** One address, or the first and last of a range, by the registries of IANA (RFC 6890 and what came after it). */
const SPECIAL: readonly (readonly [string, ...string[]])[] = [
  ['this network', '0.0.0.0', '0.255.255.255'],
  ['private', '10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.0', '192.168.255.255'],
  ['shared, carrier-grade NAT', '100.64.0.0', '100.127.255.255'],
  ['loopback', '127.0.0.0', '127.0.0.1', '127.255.255.255'],
  ['link-local, metadata of clouds', '169.254.0.0', '169.254.169.254', '169.254.255.255'],
  ['protocol assignments', '192.0.0.0', '192.0.0.8', '192.0.0.255'],
  ['documentation', '192.0.2.1', '198.51.100.1', '203.0.113.255', '2001:db8::1', '3fff::1', '3fff:fff::1'],
  ['6to4 relays', '192.88.99.1'],
  ['AS112 and AMT', '192.31.196.1', '192.52.193.1', '192.175.48.1', '2620:4f:8000::1', '2001:4:112::1', '2001:3::1'],
  ['benchmarking', '198.18.0.0', '198.19.255.255', '2001:2::1'],
  ['multicast', '224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
  ['reserved', '240.0.0.0', '255.255.255.254'],
  ['broadcast', '255.255.255.255'],
  ['unspecified', '::'],
  ['loopback in IPv6', '::1'],
  ['IPv4-mapped, by its IPv4', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:10.1.2.3', '::ffff:a9fe:a9fe'],
  ['IPv4-compatible', '::127.0.0.1', '::7f00:1', '::8.8.8.8'],
  ['IPv4-translated', '::ffff:0:127.0.0.1', '::ffff:0:8.8.8.8'],
  ['NAT64', '64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::1', '64:ff9b:1:ffff::a00:1'],
  ['discard', '100::1'],
  ['Teredo', '2001::1', '2001:0:7f00:1::'],
  ['ORCHID', '2001:10::1', '2001:20::1'],
  ['6to4', '2002:7f00:1::', '2002:a9fe:a9fe::1', '2002:808:808::1'],
  ['nobody has it', '1::1', '4000::1', '8000::1', 'e000::1', '100:0:0:1::1'],
  ['segment routing', '5f00::1'],
  ['unique local', 'fc00::1', 'fd12:3456::1', 'fd00:ec2::254'],
  ['link-local in IPv6', 'fe80::1', 'febf::1', 'fe80::1%eth0', '2606:4700::1111%eth0'],
  ['site-local', 'fec0::1', 'feff::1'],
  ['no address', '', 'localhost', '1.2.3', '0x7f.1', '2130706433', '127.0.0.1.', '[::1]', 'not an address'],
];

const PUBLIC = [
  ...['1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '93.184.216.34', '100.63.255.255', '100.128.0.1'],
  ...['126.255.255.255', '128.0.0.1', '169.253.1.1', '172.15.0.1', '172.32.0.1', '192.0.1.1', '192.167.0.1'],
  ...['198.17.0.1', '198.20.0.1', '223.255.255.255', '2606:4700::1111', '2001:4860:4860::8888', '2a00:1450::1'],
  ...['2001:200::1', '::ffff:8.8.8.8', '::ffff:808:808'],
];

describe('an address is not public that is', () => {
  it.each(SPECIAL.map(([what, ...addresses]) => [what, addresses] as const))('%s', (_what, addresses) =>
    expect(addresses.filter(isPublicAddress)).toEqual([]),
  );

  it.each(PUBLIC)('but %s is', (address) => expect(isPublicAddress(address)).toBe(true));
});

describe('a policy', () => {
  const addresses = SPECIAL.flatMap(([, ...list]) => list);

  it('permits what is public, whatever it opens', () => {
    const policies = [AddressPolicy.publicOnly, AddressPolicy.open, new AddressPolicy(false, ['10.0.0.1'])];
    for (const policy of policies) expect(PUBLIC.filter((address) => !policy.permits(address))).toEqual([]);
    expect(addresses.filter((address) => AddressPolicy.publicOnly.permits(address))).toEqual([]);
  });

  it('that is open permits every address, and nothing that is none', () => {
    expect(['127.0.0.1', '::1', 'fe80::1%eth0', '4000::1'].filter((a) => !AddressPolicy.open.permits(a))).toEqual([]);
    expect(AddressPolicy.open.permits('localhost')).toBe(false);
  });

  it('opens the ranges it names', () => {
    const policy = new AddressPolicy(false, ['10.1.0.0/16', '127.0.0.2', 'fd00:1::/32']);
    const asked = ['10.1.2.3', '127.0.0.2', '::ffff:10.1.2.3', '::ffff:a01:203', 'fd00:1::9'];
    expect(asked.filter((address) => !policy.permits(address))).toEqual([]);
    const others = ['10.2.0.1', '127.0.0.1', '127.0.0.3', '::1', '::ffff:10.2.0.1', 'fd00:2::1', 'fd00:1::9%eth0'];
    expect(others.filter((address) => policy.permits(address))).toEqual([]);
  });

  it.each([
    '10.0.0.0/33',
    'localhost',
    '10.0.0/8',
    '::/129',
    '',
    '10.0.0.0/8/8',
    '10.0.0.0/',
    'fe80::1%lo',
    '1.1.1.1/x',
  ])('takes no range that is none: %j', (range) => {
    expect(isAddressRange(range)).toBe(false);
    expect(() => new AddressPolicy(false, [range])).toThrow();
  });
});
