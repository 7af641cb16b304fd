import { slugify, slugOfName } from './slug.js';

describe('slugOfName', () => {
  it.each([
    ['Updated tést cöllection', 'updated-test-collection'],
    ["My  Coll's Name!", 'my-colls-name'],
    ['日本語', 'ri-ben-yu'],
    ['A & B', 'a-b'],
    ['A &amp; B', 'a-b'],
    ['1,000 things', '1000-things'],
    ['😀', ''],
    ['☺', ''],
    ['Straße', 'strasse'],
    ['  --x--  ', 'x'],
    ['Привет мир', 'privet-mir'],
    ['ﬁle ①', 'file-1'],
    ['', ''],
  ])('%s → %s', (name, slug) => expect(slugOfName(name)).toBe(slug));
});

describe('slugify', () => {
  it('makes an apostrophe a separator', () => expect(slugify("My Coll's")).toBe('my-coll-s'));
});
