import { toPrune } from './retention.js';

const at = (taken: string) => ({ id: taken, taken: new Date(taken) });
const NIGHTS = Array.from({ length: 60 }, (_, i) => at(new Date(Date.UTC(2026, 9, 1 + i, 2)).toISOString()));

describe('toPrune', () => {
  it('keeps the newest of the last days, weeks and months', () => {
    const gone = new Set(toPrune(NIGHTS, { daily: 2, weekly: 2, monthly: 2 }));
    // 2026-11-29 is a Sunday, the last day of its week.
    expect(NIGHTS.filter(({ id }) => !gone.has(id)).map(({ id }) => id.slice(0, 10))).toEqual([
      '2026-10-31',
      '2026-11-22',
      '2026-11-28',
      '2026-11-29',
    ]);
  });

  it('counts periods that have a backup, so that a pause costs none', () => {
    const old = [at('2025-01-01T02:00:00Z'), at('2025-03-01T02:00:00Z'), at('2026-11-01T02:00:00Z')];
    expect(toPrune(old, { daily: 0, weekly: 0, monthly: 3 })).toEqual([]);
  });

  it('keeps the newest whatever is asked for', () => {
    expect(toPrune(NIGHTS.slice(0, 3), { daily: 0, weekly: 0, monthly: 0 })).toHaveLength(2);
    const second = { taken: new Date('2026-11-01T02:00:00Z') };
    const three = [
      { ...second, id: 'b' },
      { ...second, id: 'c' },
      { ...second, id: 'a' },
    ];
    expect(toPrune(three, { daily: 1, weekly: 0, monthly: 0 })).toEqual(['b', 'a']);
    expect(toPrune([], { daily: 0, weekly: 0, monthly: 0 })).toEqual([]);
  });
});
