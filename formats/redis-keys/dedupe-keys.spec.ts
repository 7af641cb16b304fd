import { digestValue, parseDigestValue } from './dedupe-keys.js';

describe('the value of a digest in the index', () => {
  const at = { wacz: 2, url: 'https://site.example/a', size: 5_000 };
  it.each([
    ['2 20261121064456283 https://site.example/a 5000', { ...at, date: '2026-11-21T06:44:56.283Z' }],
    ['2 20261121064456 https://site.example/a 5000', { ...at, date: '2026-11-21T06:44:56Z' }],
    ['2 2026-11-21T06:44:56.283Z https://site.example/a 5000', { ...at, date: '2026-11-21T06:44:56.283Z' }],
    ['2 2026-11-21T06:44:56Z https://site.example/a', { ...at, size: 0, date: '2026-11-21T06:44:56Z' }],
    [
      '2 20261121064456 https://site.example/a b 7',
      { ...at, url: 'https://site.example/a b', size: 7, date: '2026-11-21T06:44:56Z' },
    ],
  ])('%s', (value, parsed) => {
    expect(parseDigestValue(value)).toEqual(parsed);
  });

  it('is read as it was written', () => {
    const value = digestValue(3, {
      date: new Date('2026-11-21T06:44:56.283Z'),
      url: 'https://site.example/a b',
      size: 7,
    });
    expect(value).toBe('3 20261121064456283 https://site.example/a b 7');
    const url = 'https://site.example/a b';
    expect(parseDigestValue(value)).toEqual({ wacz: 3, url, size: 7, date: '2026-11-21T06:44:56.283Z' });
  });

  it.each(['', '2', '2 20261121064456', 'x 20261121064456 https://site.example/ 1', '2 20269921064456 https://a/ 1'])(
    'is not understood: "%s"',
    (value) => {
      expect(parseDigestValue(value)).toBeNull();
    },
  );
});
