import type { WorkflowConfig, SeedConfig } from '../protocol.js';
import { ExcludedUrls, SeedScope } from './scope.js';

const scope = (seed: Partial<SeedConfig>, config: WorkflowConfig = {}) =>
  SeedScope.of({ url: 'https://www.example.com/docs/index.html', ...seed }, config);
const isIn = (given: SeedScope, url: string, depth = 1, hops = 0) => given.judge(url, depth, hops).inScope;

describe('scope types', () => {
  it.each<[NonNullable<SeedConfig['scopeType']>, string, boolean]>([
    ['page', 'https://www.example.com/docs/index.html', true],
    ['page', 'https://www.example.com/docs/other.html', false],
    ['page-spa', 'https://www.example.com/docs/index.html#/route', true],
    ['page-spa', 'https://www.example.com/docs/other.html', false],
    ['prefix', 'https://www.example.com/docs/deep/page', true],
    ['prefix', 'http://example.com/docs/page', true],
    ['prefix', 'https://www2.example.com/docs/page', true],
    ['prefix', 'https://www.example.com/other/', false],
    ['prefix', 'https://example.com.evil.test/docs/', false],
    ['host', 'https://www.example.com/other/', true],
    ['host', 'https://sub.example.com/', false],
    ['host', 'https://wwwexample.com/', false],
    ['domain', 'https://sub.deep.example.com/x', true],
    ['domain', 'https://example.com/', true],
    ['domain', 'https://notexample.com/', false],
    ['domain', 'https://evil.test/?u=https://example.com/', false],
    ['any', 'http://anywhere.test/', true],
    ['any', 'file:///etc/passwd', false],
    ['any', 'chrome://version', false],
    ['custom', 'https://www.example.com/docs/x', false],
  ])('%s: %s is %s', (scopeType, url, expected) => {
    expect(isIn(scope({ scopeType }), url)).toBe(expected);
  });

  it('is prefix by default, and custom when only include is given', () => {
    expect(isIn(scope({}), 'https://www.example.com/docs/x')).toBe(true);
    const custom = scope({}, { include: ['/blog/'] });
    expect(isIn(custom, 'https://www.example.com/docs/x')).toBe(false);
    expect(isIn(custom, 'https://elsewhere.test/blog/1')).toBe(true);
  });

  it('a seed is in its own scope whatever the rules', () => {
    expect(isIn(scope({ scopeType: 'custom', exclude: '.*' }), 'https://www.example.com/docs/index.html', 0)).toBe(
      true,
    );
  });

  it('an exclusion wins over the scope', () => {
    const given = scope({ scopeType: 'host', exclude: ['/private/', '\\?print='] });
    expect(given.judge('https://www.example.com/private/x', 1, 0)).toEqual({ inScope: false, reason: 'excluded' });
    expect(isIn(given, 'https://www.example.com/a?reprint=1')).toBe(true);
    expect(isIn(given, 'https://www.example.com/a?print=1')).toBe(false);
  });

  it('the query may be written in either order', () => {
    const given = scope({ scopeType: 'custom', include: ['a=1&b=2'] });
    expect(isIn(given, 'https://x.test/?b=2&a=1')).toBe(true);
  });
});

describe('depth, hops and hashes', () => {
  it('depth ends the scope', () => {
    const given = scope({ scopeType: 'prefix', depth: 2 });
    expect(isIn(given, 'https://www.example.com/docs/a', 2)).toBe(true);
    expect(given.judge('https://www.example.com/docs/a', 3, 0)).toEqual({ inScope: false, reason: 'depth' });
    expect(isIn(scope({ scopeType: 'prefix', depth: -1 }), 'https://www.example.com/docs/a', 500)).toBe(true);
  });

  it('extra hops lead out of scope, counted', () => {
    const given = scope({ scopeType: 'page', extraHops: 1 });
    expect(given.judge('https://elsewhere.test/', 1, 0)).toEqual({ inScope: true, hops: 1 });
    expect(isIn(given, 'https://elsewhere.test/next', 2, 1)).toBe(false);
  });

  it('keeps hashes only where they make pages', () => {
    expect(scope({ scopeType: 'prefix' }).queueForm('https://a.test/#x')).toBe('https://a.test/');
    expect(scope({ scopeType: 'page-spa' }).queueForm('https://a.test/#x')).toBe('https://a.test/#x');
    expect(scope({ scopeType: 'prefix', allowHash: true }).queueForm('https://a.test/#x')).toBe('https://a.test/#x');
  });
});

describe('exclusions of a running crawl', () => {
  it('are added once, removed, and refused when they do not compile', () => {
    const exclusions = new ExcludedUrls(['/a/']);
    expect(exclusions.add('/b/')).not.toBeNull();
    expect(exclusions.add('/b/')).toBeNull();
    expect(exclusions.excludes('https://x.test/b/1')).toBe(true);
    exclusions.remove('/b/');
    expect(exclusions.excludes('https://x.test/b/1')).toBe(false);
    expect(() => exclusions.add('(')).toThrow('invalid regular expression');
  });
});
