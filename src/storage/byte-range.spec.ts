import { parseRangeHeader, rangeHeader, resolveRange } from './byte-range.js';

describe('parseRangeHeader', () => {
  it.each([
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=5-', { start: 5 }],
    ['bytes=-5', { suffix: 5 }],
    ['BYTES= 1 - 2 ', { start: 1, end: 2 }],
    ['bytes=-0', { suffix: 0 }],
  ])('reads %s', (header, range) => expect(parseRangeHeader(header)).toEqual(range));

  it.each([
    undefined,
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=2-1',
    'bytes=a-b',
    'bytes=0-1,3-4',
    'items=0-1',
    'bytes=1.5-2',
  ])('ignores %s', (header) => expect(parseRangeHeader(header)).toBeUndefined());

  it('ignores numbers too long to be sizes', () => {
    expect(parseRangeHeader(`bytes=${'9'.repeat(40)}-`)).toBeUndefined();
  });

  it('is the reverse of rangeHeader', () => {
    for (const range of [{ start: 1, end: 2 }, { start: 7 }, { suffix: 3 }]) {
      expect(parseRangeHeader(rangeHeader(range))).toEqual(range);
    }
  });
});

describe('resolveRange', () => {
  it('agrees with slicing for every small range', () => {
    const bytes = [...'0123456'];
    for (let size = 0; size <= bytes.length; size++) {
      const text = bytes.slice(0, size);
      for (let start = 0; start < 9; start++) {
        for (let end = start; end < 9; end++) {
          const part = resolveRange({ start, end }, size);
          expect(part ? text.slice(part.start, part.start + part.length) : []).toEqual(text.slice(start, end + 1));
        }
        const suffix = resolveRange({ suffix: start }, size);
        expect(suffix ? text.slice(suffix.start) : []).toEqual(start === 0 ? [] : text.slice(-start));
      }
    }
  });
});
