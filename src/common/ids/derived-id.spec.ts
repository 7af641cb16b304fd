import { derivedId, derivedPageId } from './derived-id.js';

const shaped = (version: 4 | 5): RegExp =>
  new RegExp(`^[0-9a-f]{8}-[0-9a-f]{4}-${String(version)}[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`);
const names = Array.from({ length: 200 }, (_, n) => `upload-1:a.wacz:${String(n)}`);

describe.each([
  ['derived ids', derivedId, 5],
  ['derived ids of pages', derivedPageId, 4],
] as const)('%s', (_what, idOf, version) => {
  it('are the same for the same name only', () => {
    expect(names.map(idOf)).toEqual(names.map(idOf));
    expect(new Set(names.map(idOf)).size).toBe(names.length);
  });

  it(`have version ${String(version)} and the variant of RFC 9562`, () => {
    for (const id of names.map(idOf)) expect(id).toMatch(shaped(version));
  });
});
