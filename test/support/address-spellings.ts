/** Hosts as a URL may spell them; `{port}` and a path are added by `spelledUrls`. */

/** This machine's own IPv4 addresses: without a guard each of them reaches a server here. */
const OWN_IPV4 = [
  ...['127.0.0.1', '127.0.0.2', '127.255.255.254', '127.1', '127.0.1', '127.65535', '127.16777214'],
  ...['2130706433', '2130706434', '0x7f000001', '0x7F000001', '0x7f.1', '0x7f.0.0.1', '0x7f.0x0.0x0.0x1', '127.0x1'],
  ...['0177.0.0.1', '0177.1', '017700000001', '0177.0x0.0.1', '00177.00.00.01', '127.0.0.01', '127.000.000.001'],
  ...['0.0.0.0', '0', '0x0', '00', '0.0', '0.0.0', '127.0.0.1.', '0x7f.1.', 'localhost', 'LocalHost'],
];
/** Spelled so that only the parser of URLs reads them. */
const OWN_IPV4_ENCODED = [
  ...[
    '１２７.０.０.１',
    '127。0。0。1',
    '127．0．0．1',
    '⑫7.0.0.1',
    '%31%32%37.0.0.1',
    '127%2E0%2E0%2E1',
    'ｌocalhost',
  ],
  ...['127.0.0\t.1', '12\n7.0.0.1'],
];
const OWN_IPV6 = [
  ...['[::1]', '[0:0:0:0:0:0:0:1]', '[0000:0000:0000:0000:0000:0000:0000:0001]', '[::0:1]', '[0::1]', '[::]', '[0::0]'],
  ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::FFFF:127.0.0.1]', '[0:0:0:0:0:ffff:7f00:0001]', '[::ffff:0.0.0.0]'],
];
/** Of other private, local or special ranges, which a machine may have as well. */
export const OTHERS = [
  ...['10.0.0.1', '10.1', '0x0a000001', '012.0.0.1', '167772161', '172.16.0.1', '172.31.255.255', '192.168.0.1'],
  ...['192.168.257', '169.254.169.254', '0xa9fea9fe', '2852039166', '0251.0376.0251.0376', '169.254.1'],
  ...['100.64.0.1', '100.127.255.255', '192.0.0.1', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.51.100.1'],
  ...['203.0.113.1', '[fc00::1]', '[fd12:3456::1]', '[fd00:ec2::254]', '[::127.0.0.1]', '[64:ff9b::7f00:1]'],
  ...['[64:ff9b::10.0.0.1]', '[64:ff9b::a9fe:a9fe]', '[2002:7f00:1::]', '[2002:a9fe:a9fe::1]', '[2001:0:7f00:1::]'],
  ...['[::ffff:10.0.0.1]', '[::ffff:169.254.169.254]', '[2001:db8::1]', '[3fff::1]', '[4000::1]', '[5f00::1]'],
  ...['[100::1]'],
];
/** Addresses that no connection can have, or only one that names its link as well; and a name that not every reader knows. */
export const UNREACHABLE = [
  ...['224.0.0.1', '240.0.0.1', '255.255.255.255', '[fe80::1]', '[febf::1]', '[ff02::1]'],
  ...['[fe80::1%25lo]', '[::1%25lo]', '[fe80::1%lo]', 'localhost.'],
];

export const ownHosts = (hasIpv6: boolean): string[] => [...OWN_IPV4, ...(hasIpv6 ? OWN_IPV6 : [])];
export const encodedHosts = OWN_IPV4_ENCODED;

/** URLs whose host is one to this reader and another to that one; `{}` is 127.0.0.1 with a port. */
export const TWO_FACED = [
  ...['http://user@{}/', 'http://user:pw@{}/', 'http://8.8.8.8@{}/', 'http://8.8.8.8:80@{}/', 'http://a@b@{}/'],
  ...['http://8.8.8.8\\@{}/', 'http://8.8.8.8\\\\@{}/', 'http:\\\\{}\\', 'http:/{}/', 'http:{}/', 'HTTP://{}/'],
  ...['http://8.8.8.8#@{}/', 'http://8.8.8.8?@{}/', 'http://8.8.8.8%2F@{}/', 'http://8.8.8.8\t@{}/', '\thttp://{}/'],
  ...['http://8.8.8.8%5C@{}/', 'http:///{}/', 'ht\ntp://{}/'],
];
