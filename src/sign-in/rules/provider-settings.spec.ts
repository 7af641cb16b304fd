import { loadProviders, parseProviders } from './provider-settings.js';

const ENTRY = { id: 'uni', issuer: 'https://login.example.org', client_id: 'muniment' };
const parse = (entries: readonly object[], allowsHttp = false) =>
  parseProviders(
    entries.map((fields) => ({ ...ENTRY, ...fields })),
    allowsHttp,
  );

it('are cautious unless they say otherwise', () => {
  expect(parse([{}])).toMatchObject([
    {
      name: 'uni',
      scopes: ['openid', 'email', 'profile'],
      newAccounts: 'never',
      linksByAddress: false,
      trustsAddresses: false,
    },
  ]);
  expect(parse([{ scopes: ['groups'] }])[0]?.scopes).toEqual(['openid', 'groups']);
  expect(parse([{ issuer: 'http://127.0.0.1' }], true)[0]?.issuer).toBe('http://127.0.0.1');
});

it('never show a secret', () => {
  expect(JSON.stringify(parse([{ client_secret: 'hidden' }]))).not.toContain('hidden');
});

it.each([
  [[{ id: 'a b' }], 'entry 0: id is not made of a-z, 0-9 and -'],
  [[{ client_id: '' }], 'entry 0: client_id is missing'],
  [[{ issuer: 'http://127.0.0.1' }], 'entry 0: issuer is not an https address'],
  [[{ issuer: 'login.example.org' }], 'entry 0: issuer is not an https address'],
  [[{}, { id: 'b' }], 'entry 1: a second provider of this issuer'],
  [[{}, { issuer: 'https://b.example.org' }], 'entry 1: a second provider with the id uni'],
  [[{ new_accounts: 'yes' }], 'entry 0: new_accounts is none of never, mapped, always'],
  [[{ link_by_address: 'yes' }], 'entry 0: link_by_address is neither true nor false'],
  [[{ scopes: 'openid' }], 'entry 0: scopes is not a list of words'],
  [[{ rules: {} }], 'entry 0: rules is not a list'],
  [
    [{ rules: [{ claim: 'groups', value: 'x', org: 'y', role: 'king' }] }],
    'rule 0: role is none of viewer, crawler, owner',
  ],
  [[{ rules: [{ claim: 'groups', value: 'x' }] }], 'rule 0: org is missing'],
])('%j are refused: %s', (entries: readonly object[], message) => {
  expect(() => parse(entries)).toThrow(message);
});

it('are a list, in a file that can be read', () => {
  expect(() => parseProviders({}, false)).toThrow('not a list');
  expect(() => loadProviders('/nowhere.json', false)).toThrow('cannot be read as JSON');
  expect(loadProviders('', false)).toEqual([]);
});
