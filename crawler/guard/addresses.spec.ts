import { AddressPolicy, isPrivateAddress, resolveChecked } from './addresses.js';

describe('addresses a crawl may not reach', () => {
  it.each([
    '0.0.0.0', '10.1.2.3', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.255.0.1', '169.254.169.254', '172.16.0.1',
    '172.31.255.255', '192.0.0.8', '192.168.1.1', '198.18.0.1', '198.19.255.255', '224.0.0.1', '240.0.0.1',
    '255.255.255.255', '::', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:0:10.0.0.1', '::127.0.0.1', 'fc00::1',
    'fd12:3456::1', 'fe80::1', 'fe80::1%eth0', 'fec0::1', 'ff02::1', '64:ff9b::a00:1', '64:ff9b:1::1', '2002:7f00:1::',
    '2001::1', 'not an address',
  ])('%s', (address) => expect(isPrivateAddress(address)).toBe(true)); // prettier-ignore

  it.each([
    '1.1.1.1',
    '8.8.8.8',
    '100.63.255.255',
    '100.128.0.1',
    '172.32.0.1',
    '192.0.1.1',
    '198.20.0.1',
    '223.255.255.255',
    '2606:4700::1111',
    '2001:4860:4860::8888',
    '::ffff:8.8.8.8',
  ])('but %s it may', (address) => expect(isPrivateAddress(address)).toBe(false));

  it.each(['127.0.0.1', '[::1]', 'localhost', 'localhost.', '0x7f.1', '2130706433', '017700000001'])(
    'the host %s is refused',
    async (host) => {
      await expect(resolveChecked(host, new AddressPolicy(false))).rejects.toThrow();
    },
  );

  it('private addresses are open where the deployment says so', async () => {
    expect(await resolveChecked('127.0.0.1', new AddressPolicy(true))).toEqual([{ address: '127.0.0.1', family: 4 }]);
  });

  it('or those of them that it names', () => {
    const policy = new AddressPolicy(false, ['10.1.0.0/16', '127.0.0.2', 'fd00:1::/32']);
    const asked = ['10.1.2.3', '127.0.0.2', '::ffff:10.1.2.3', 'fd00:1::9', '1.1.1.1'];
    expect(asked.filter((address) => !policy.permits(address))).toEqual([]);
    const others = ['10.2.0.1', '127.0.0.1', '127.0.0.3', '::1', '::ffff:10.2.0.1', 'fd00:2::1', 'localhost'];
    expect(others.filter((address) => policy.permits(address))).toEqual([]);
  });

  it.each(['10.0.0.0/33', 'localhost', '10.0.0/8', '::/129', ''])('a range that is none is refused: %j', (range) =>
    expect(() => new AddressPolicy(false, [range])).toThrow(),
  );
});
