import type { StoredFile } from '../objects/data/stored-file.schema.js';
import { placeOf } from './archive-needs.js';

const HASH = 'AB'.repeat(32);
const file = (filename: string, fields: Partial<StoredFile> = {}): StoredFile => ({
  ...{ filename: `org/${filename}`, size: 5, hash: HASH.toLowerCase(), storage: { name: 'default', custom: false } },
  ...{ replicas: [], ...fields },
});
const items = new Map([
  ['one', [file('a.wacz'), file('b.wacz')]],
  ['two', [file('a.wacz', { hash: '' })]],
  ['down', null],
]);
const named = { filename: 'a.wacz', hash: `sha256:${HASH}`, size: 5, crawlId: 'one' };
const nothing = { filename: null, hash: null, size: null, crawlId: null };

it('finds the file of the item that is named', () => {
  expect(placeOf(named, items)).toEqual({ file: items.get('one')![0] });
  expect(placeOf({ ...named, crawlId: 'two' }, items)).toEqual({ file: items.get('two')![0] });
  expect(placeOf({ ...nothing, filename: 'b.wacz' }, items)).toEqual({ file: items.get('one')![1] });
});

it('says what is wrong', () => {
  const fault = (more: object) => placeOf({ ...named, ...more }, items);
  expect(fault({ crawlId: 'three' })).toMatchObject({ fault: { stored: null } });
  expect(fault({ filename: 'c.wacz' })).toMatchObject({ fault: { field: 'required archive c.wacz of one' } });
  expect(fault({ size: 6 })).toMatchObject({ fault: { stored: 5, expected: 6 } });
  expect(fault({ hash: 'ff' })).toMatchObject({ fault: { stored: HASH.toLowerCase(), expected: 'ff' } });
});

it('knows what was taken down', () => {
  expect(placeOf({ ...named, crawlId: 'down' }, items)).toBe('takenDown');
  expect(placeOf({ ...nothing, filename: 'gone.wacz' }, items)).toBe('takenDown');
});
