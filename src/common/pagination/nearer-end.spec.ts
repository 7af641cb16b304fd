import { fromNearerEnd, reversedOrder } from './nearer-end.js';

describe('fromNearerEnd', () => {
  it('gives every page of every list as skipping does', () => {
    for (let total = 0; total <= 12; total += 1) {
      const rows = Array.from({ length: total }, (_, n) => n);
      for (let skip = 0; skip <= 13; skip += 1)
        for (let limit = 1; limit <= 13; limit += 1) {
          const bounds = fromNearerEnd(total, { skip, limit });
          const walked = bounds?.isReversed ? [...rows].reverse() : rows;
          const page = bounds ? walked.slice(bounds.skip, bounds.skip + bounds.limit) : [];
          expect(bounds?.isReversed ? page.reverse() : page).toEqual(rows.slice(skip, skip + limit));
        }
    }
  });

  it('never skips more than half of the list', () => {
    for (let skip = 0; skip < 1000; skip += 10)
      expect(fromNearerEnd(1000, { skip, limit: 10 })?.skip).toBeLessThanOrEqual(500);
  });
});

describe('reversedOrder', () => {
  it('turns every direction round and keeps the fields in place', () => {
    expect(Object.entries(reversedOrder({ a: 1, b: -1, _id: 1 }))).toEqual([
      ['a', -1],
      ['b', 1],
      ['_id', -1],
    ]);
  });
});
