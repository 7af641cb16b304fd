import { asList, compilePattern, InvalidPattern, limitedMatcher, PatternTooSlow } from './pattern.js';
/** A back-tracking pattern would not end within a lifetime; how fast the bounded ones are is not asked here. */
const UNBOUNDED_MS = 30_000;

describe('user patterns', () => {
  it.each([
    ['^https?://(www\\.)?example\\.com/', 'https://www.example.com/x', true],
    ['\\.(?:pdf|zip)$', 'https://a.test/b.pdf', true],
    ['\\.(?:pdf|zip)$', 'https://a.test/b.pdf?x', false],
    ['/(?<year>\\d{4})/', 'https://a.test/2024/x', true],
    ['^(?!.*logout).*$', 'https://a.test/logout', false],
    ['^(?!.*logout).*$', 'https://a.test/home', true],
    ['(a)\\1', 'https://x.test/aa', true],
    ['\\/path\\/', 'https://a.test/path/', true],
  ])('%s on %s is %s', (source, text, expected) => {
    expect(compilePattern(source).test(text)).toBe(expected);
  });

  it.each(['(a+)+$', '^(\\w+\\s?)*$', '(x+x+)+y'])('%s costs no more than its length allows', (source) => {
    const pattern = compilePattern(source);
    const started = performance.now();
    pattern.test(`https://a.test/${'a'.repeat(2_000)}${'x'.repeat(2_000)}!`);
    expect(performance.now() - started).toBeLessThan(UNBOUNDED_MS);
  });

  it('one that needs back-tracking is stopped, and switched off after three URLs', () => {
    const disabled: string[] = [];
    const pattern = compilePattern('^(?=a)(a+)+b$', (source) => disabled.push(source));
    const started = performance.now();
    for (let i = 0; i < 10; i++) expect(pattern.test(`${'a'.repeat(60)}${i}`)).toBe(false);
    expect(performance.now() - started).toBeLessThan(UNBOUNDED_MS);
    expect(disabled).toEqual(['^(?=a)(a+)+b$']);
  });

  it.each(['example', '^(?!.*logout).*$', '(?<=/)a'])('%s picks out of a list what it is found in', (source) => {
    const urls = ['https://example.test/', 'https://x.test/a', 'https://x.test/logout', ''];
    const pattern = compilePattern(source);
    expect(limitedMatcher(source)(urls)).toEqual(urls.filter((url) => pattern.test(url)));
    expect(limitedMatcher(source)([])).toEqual([]);
  });

  it('a list is given up over one that back-tracks without end, where a crawl reads it in linear time', () => {
    expect(() => limitedMatcher('^(a+)+b$')(['x', 'a'.repeat(60)])).toThrow(PatternTooSlow);
    expect(compilePattern('^(a+)+b$').test('aab')).toBe(true);
    expect(() => limitedMatcher('(')).toThrow(InvalidPattern);
  });

  it('lists are given as one string, several or none', () => {
    expect([asList('a'), asList(['a', '']), asList(null), asList(undefined), asList('')]).toEqual([
      ['a'],
      ['a'],
      [],
      [],
      [],
    ]);
  });
});
