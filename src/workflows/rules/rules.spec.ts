import { checkCustomBehaviors, checkExclude, checkLang, checkSelectLinks } from './config.rules.js';
import { parseCustomBehavior } from './custom-behavior.js';
import { filenameTemplateProblem } from './filename-template.js';
import { areSelectLinks } from './select-links.js';

describe('link rules', () => {
  test.each(['*->href', 'a,b->href', ':is(a)->href', ':has(a)->@data-href', '::before->href', 'a[href]->href'])(
    '%s is one',
    (rule) => {
      expect(areSelectLinks([rule])).toBe(true);
    },
  );
  test.each([
    'a',
    '->href',
    'a->',
    'a->b->c',
    'div[2]->href',
    'aria[3]->href',
    '>a->x',
    ':is()->href',
    ':has()->href',
    'a:unknown->href',
  ])('%s is none', (rule) => {
    expect(areSelectLinks(['a[href]->href', rule])).toBe(false);
  });
  it('needs at least one', () => {
    expect(areSelectLinks([])).toBe(false);
    expect(() => checkSelectLinks({ selectLinks: [] })).toThrow(
      expect.objectContaining({ detail: 'invalid_link_selector' }),
    );
    expect(() => checkSelectLinks({})).not.toThrow();
  });
});

describe('custom behaviors', () => {
  it('reads address and branch', () => {
    expect(parseCustomBehavior('https://x/y.js')).toEqual({ isGit: false, url: 'https://x/y.js', branch: '' });
    expect(parseCustomBehavior('git+https://h/r?branch=b&path=p')).toEqual({
      isGit: true,
      url: 'https://h/r',
      branch: 'b',
    });
    expect(parseCustomBehavior('ssh://h/r')).not.toBeNull();
  });
  test.each(['http', '/a/b', 'mailto:a@b', 'x://', '', 'https:///p', '?https://x/y'])('%j is none', (address) => {
    expect(() => checkCustomBehaviors({ customBehaviors: [address] })).toThrow(
      expect.objectContaining({ detail: 'invalid_custom_behavior' }),
    );
  });
});

describe('exclusions and language', () => {
  test.each([['['], ['('], ['*a'], [['ok', '(?<=']]])('%j does not compile', (exclude) => {
    expect(() => checkExclude({ exclude })).toThrow(expect.objectContaining({ detail: 'invalid_regex' }));
  });
  test.each([['(a+)+$'], [''], [null], [[]], [['a', 'b|c']]])('%j passes', (exclude) => {
    expect(() => checkExclude({ exclude })).not.toThrow();
  });
  test.each(['EN', 'eng', 'xx', 'en-US'])('%s is no language', (lang) => {
    expect(() => checkLang({ lang })).toThrow(expect.objectContaining({ detail: 'invalid_lang' }));
  });
  test.each(['en', 'de', '', null, undefined])('%s passes as language', (lang) => {
    expect(() => checkLang({ lang })).not.toThrow();
  });
});

describe('WACZ name templates', () => {
  test.each(['', '@ts-@hostsuffix.wacz', 'a/b/@id.wacz', 'a..b', 'x'.repeat(768)])('%j may be used', (template) => {
    expect(filenameTemplateProblem(template)).toBeNull();
  });
  test.each(['/a', 'a/../b', './a', 'a/.', 'a\nb', 'a\u0085b', 'x'.repeat(769)])('%j may not', (template) => {
    expect(filenameTemplateProblem(template)).not.toBeNull();
  });
});
