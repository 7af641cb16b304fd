import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { ROOT } from '../support/product.js';

const WEB = join(ROOT, 'web/src');
const LOCALES = ['de', 'es', 'fr'];
const rooms = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.texts.ts'));

/** Keys and English words of a `defineTexts('room', { … })`, read from its source. */
function english(path: string): Map<string, string> {
  const source = readFileSync(join(WEB, path), 'utf8');
  const body = source.slice(source.indexOf('{', source.indexOf('defineTexts(')));
  const found = new Map<string, string>();
  const entry = /^\s*(?:'((?:[^'\\]|\\.)+)'|([\w$]+)):\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)"|`([^`]*)`),?\s*$/gm;
  for (const [, quoted, plain, single, double, template] of body.matchAll(entry))
    found.set(quoted ?? plain ?? '', single ?? double ?? template ?? '');
  return found;
}

/** The names in braces, which a translation must have too. */
const values = (text: string): string[] =>
  [...new Set([...text.matchAll(/\{\s*(\w+)/g)].map(([, name]) => name ?? ''))]
    .filter((name) => !/^\d/.test(name))
    .sort();

describe.each(rooms)('the words of %s', (path) => {
  const words = english(path);
  it('are found', () => expect(words.size).toBeGreaterThan(0));

  it.each(LOCALES)('are translated into %s, with the same values', (locale) => {
    const file = join(WEB, dirname(path), `texts.${locale}.json`);
    const translated = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
    expect(Object.keys(translated).sort()).toEqual([...words.keys()].sort());
    const of = (text: string): string[] =>
      values(text.replace(/\{\w+, (plural|select|selectordinal),[\s\S]*?\}\s*\}/g, ''));
    for (const [key, text] of words)
      expect({ key, values: of(translated[key] ?? '') }).toEqual({ key, values: of(text) });
  });
});

it('one folder has one file of words', () => {
  const folders = rooms.map((path) => basename(dirname(path)));
  expect(new Set(folders).size).toBe(folders.length);
});
