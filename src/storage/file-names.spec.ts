import { extensionOf, fileNames, isInOrgFolder } from './file-names.js';
import { assertObjectKey } from './object-key.js';

const oid = '0b1d5e5a-0000-4000-8000-000000000001';
const shared = { name: 'default', custom: false };
const own = { name: 'bucket', custom: true };
const file = (originalName: string, storage = shared) => ({ oid, storage, originalName });
const RANDOM = '[a-z2-7]{8}';

describe('fileNames', () => {
  it.each([
    [fileNames.upload('upload-1', file("a/b/My Coll's.wacz")), `${oid}/uploads/upload-1-my-coll-s-${RANDOM}\\.wacz`],
    [fileNames.upload('upload-1', file('x.WARC.GZ', own)), `uploads/upload-1-x-warc-${RANDOM}\\.GZ`],
    [fileNames.upload('upload-1', file('😀')), `${oid}/uploads/upload-1--${RANDOM}`],
    [fileNames.splitWacz('upload-1', file('a.wacz')), `${oid}/uploads/upload-1-a-${RANDOM}\\.wacz`],
    [fileNames.thumbnail('c1', file('pic.JPG')), `${oid}/images/-thumbnail-c1-${RANDOM}\\.JPG`],
    [fileNames.seedFile('f1', oid, shared), `${oid}/seedFiles/seedFile-f1-${RANDOM}\\.txt`],
    [fileNames.seedFile('f1', oid, own), `seedFiles/seedFile-f1-${RANDOM}\\.txt`],
    [fileNames.profile('p1', oid), `${oid}/profiles/profile-p1\\.tar\\.gz`],
    [fileNames.dedupeIndex('c1', oid, shared), `${oid}/dedupe-index/c1`],
  ])('%s', (name, pattern) => expect(name).toMatch(new RegExp(`^${pattern}$`)));

  it.each([
    '',
    '..',
    '../..',
    '/etc/passwd',
    'a\\b.c\\d',
    `${'n'.repeat(10_000)}.${'e'.repeat(10_000)}`,
    'x.\0\n',
    '日.é日',
  ])('makes a valid key of the name %j', (name) =>
    expect(() => assertObjectKey(fileNames.upload('upload-1', file(name)))).not.toThrow(),
  );

  it('does not repeat itself', () => {
    const names = new Set(Array.from({ length: 1000 }, () => fileNames.seedFile('f', oid, shared)));
    expect(names.size).toBe(1000);
  });
});

describe('isInOrgFolder', () => {
  it.each([
    [`${oid}/uploads/a.wacz`, true],
    [`${oid}`, false],
    [`${oid.toUpperCase()}/a.wacz`, false],
    [`${oid.replaceAll('-', '')}/a.wacz`, false],
    [`backup/${oid}/a.wacz`, false],
  ])("tells the product's objects from others in the bucket: %s", (key, expected) => {
    expect(isInOrgFolder(key)).toBe(expected);
  });
});

describe('extensionOf', () => {
  it.each([
    ['a.wacz', '.wacz'],
    ['a.tar.gz', '.gz'],
    ['.hidden', ''],
    ['a', ''],
    ['a.b/c', ''],
    ['a.', '.'],
  ])('%s → %j', (name, extension) => expect(extensionOf(name)).toBe(extension));
});
