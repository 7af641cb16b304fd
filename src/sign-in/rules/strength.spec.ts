import { strengthIn, vouchesForFactor, type FactorAtProvider } from './strength.js';

const counting = (fields: Partial<FactorAtProvider>): FactorAtProvider => ({
  ...{ counts: 'claimed', amr: ['mfa'], acr: ['gold'] },
  ...fields,
});
const counts = (fields: Partial<FactorAtProvider>, claims: Record<string, unknown>): boolean =>
  vouchesForFactor(counting(fields), strengthIn(claims));

it('counts all, none, or what the provider says of the sign-in', () => {
  expect(counts({ counts: 'always' }, {})).toBe(true);
  expect(counts({ counts: 'never' }, { amr: ['mfa'], acr: 'gold' })).toBe(false);
  for (const claims of [{ amr: ['pwd', 'mfa'] }, { acr: 'gold' }]) expect(counts({}, claims)).toBe(true);
});

it.each([
  [{}],
  [{ amr: ['pwd'] }],
  [{ amr: 'mfa' }],
  [{ amr: [['mfa']] }],
  [{ amr: { 0: 'mfa' } }],
  [{ acr: ['gold'] }],
  [{ acr: 'Gold' }],
  [{ acr: 1 }],
])('%j says nothing of a second factor', (claims) => expect(counts({}, claims)).toBe(false));
