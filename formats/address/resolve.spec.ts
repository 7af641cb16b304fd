import { AddressPolicy } from './address-policy.js';
import { AddressRefused, canonicalHost, resolveChecked, type ResolveName } from './resolve.js';

const answering =
  (...addresses: string[]): ResolveName =>
  (_name, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    );

describe('the host of an address', () => {
  it.each([
    ['127.1', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
    ['0177.0.0.1', '127.0.0.1'],
    ['2130706433', '127.0.0.1'],
    ['127.0.0.1.', '127.0.0.1'],
    ['１２７。０。０。１', '127.0.0.1'],
    ['%31%32%37.0.0.1', '127.0.0.1'],
    ['12\t7.0.0.1', '127.0.0.1'],
    ['0', '0.0.0.0'],
    ['LOCALHOST', 'localhost'],
    ['localhost.', 'localhost.'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['::1', '[::1]'],
    ['[0:0:0:0:0:0:0:1]', '[::1]'],
    ['[::ffff:127.0.0.1]', '[::ffff:7f00:1]'],
  ])('%j is %s', (text, host) => expect(canonicalHost(text)).toBe(host));

  it.each([
    '',
    'a@127.0.0.1',
    '8.8.8.8\\@127.0.0.1',
    '8.8.8.8/x',
    '8.8.8.8?',
    '8.8.8.8#',
    'h:81',
    '256.1.1.1',
    '[::1',
    'a b',
  ])('%j is none', (text) => expect(canonicalHost(text)).not.toBe('127.0.0.1'));

  it.each(['[fe80::1%25lo]', '[::1%lo]', 'fe80::1%lo'])('knows no zone: %s', (text) =>
    expect(canonicalHost(text)).toBeNull(),
  );
});

describe('a checked host', () => {
  const { publicOnly, open } = AddressPolicy;

  it.each(['127.0.0.1', '[::1]', '::1', 'localhost', 'localhost.', '0x7f.1', '2130706433', '017700000001', '', 'a@b'])(
    '%j is refused',
    async (host) => {
      await expect(resolveChecked(host, publicOnly)).rejects.toThrow(AddressRefused);
    },
  );

  it('is what the connection goes to', async () => {
    expect(await resolveChecked('0x7f.1', open)).toEqual([{ address: '127.0.0.1', family: 4 }]);
    expect(await resolveChecked('[::1]', open)).toEqual([{ address: '::1', family: 6 }]);
    expect(await resolveChecked('a.example', publicOnly, answering('8.8.8.8', '2606:4700::1111'))).toEqual([
      { address: '8.8.8.8', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ]);
  });

  it('is refused when one of its addresses is not permitted, or there is none', async () => {
    for (const addresses of [['8.8.8.8', '127.0.0.1'], ['8.8.8.8', '::1'], []])
      await expect(resolveChecked('a.example', publicOnly, answering(...addresses))).rejects.toThrow(AddressRefused);
  });
});
