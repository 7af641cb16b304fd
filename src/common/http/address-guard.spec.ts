import { AddressRefused, assertPublicHost, isPublicAddress } from './address-guard.js';

/** Spellings of addresses that must not be reached, as they may appear in a URL. */
const PRIVATE_URLS = [
  'http://127.0.0.1/',
  'http://127.1/',
  'http://127.0.1/',
  'http://2130706433/',
  'http://0x7f000001/',
  'http://0x7f.1/',
  'http://0177.0.0.1/',
  'http://017700000001/',
  'http://0.0.0.0/',
  'http://0/',
  'http://10.0.0.1/',
  'http://10.1/',
  'http://0x0a000001/',
  'http://172.16.0.1/',
  'http://172.31.255.255/',
  'http://192.168.0.1/',
  'http://192.168.257/',
  'http://169.254.169.254/',
  'http://0xa9fea9fe/',
  'http://2852039166/',
  'http://100.64.0.1/',
  'http://100.127.255.255/',
  'http://192.0.0.1/',
  'http://198.18.0.1/',
  'http://224.0.0.1/',
  'http://240.0.0.1/',
  'http://255.255.255.255/',
  'http://[::1]/',
  'http://[::]/',
  'http://[0:0:0:0:0:0:0:1]/',
  'http://[::ffff:127.0.0.1]/',
  'http://[::ffff:7f00:1]/',
  'http://[::ffff:10.0.0.1]/',
  'http://[fe80::1]/',
  'http://[fc00::1]/',
  'http://[fd12:3456::1]/',
  'http://[ff02::1]/',
  'http://[64:ff9b::7f00:1]/',
  'http://[64:ff9b::10.0.0.1]/',
  'http://[2002:7f00:1::]/',
  'http://[2002:a00:1::1]/',
  'http://[2001:0:7f00:1::]/',
  'http://１２７.０.０.１/',
  'http://127。0。0。1/',
  'http://[::127.0.0.1]/',
];

describe('the address guard', () => {
  it.each(PRIVATE_URLS)('refuses %s', (text) => {
    expect(() => assertPublicHost(new URL(text))).toThrow(AddressRefused);
  });

  it.each(['http://[fe80::1%25eth0]/', 'http://256.1.1.1/', 'http://[::ffff:127.0.0.1/'])(
    'knows that %s is no URL',
    (text) => {
      expect(URL.canParse(text)).toBe(false);
    },
  );

  it.each(['8.8.8.8', '93.184.216.34', '2606:2800:220:1::1'])('lets %s pass', (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });

  it.each(['fe80::1%eth0', 'localhost', '', '1.2.3'])('refuses %p as an address', (text) => {
    expect(isPublicAddress(text)).toBe(false);
  });
});
