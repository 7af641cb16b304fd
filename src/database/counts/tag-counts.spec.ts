import { mostUsedFirst } from './tag-counts.js';

describe('mostUsedFirst', () => {
  it('orders by count, then by code points, as the database does', () => {
    const given = ['b', '\u{1F600}', 'é', 'B', '\uFF21', 'ba', 'z'].map((tag) => ({ tag, count: tag === 'z' ? 2 : 1 }));
    expect(mostUsedFirst(given).map(({ tag }) => tag)).toEqual(['z', 'B', 'b', 'ba', 'é', '\uFF21', '\u{1F600}']);
  });

  it('leaves what it is given as it was', () => {
    const given = [
      { tag: 'a', count: 1 },
      { tag: 'b', count: 2 },
    ];
    mostUsedFirst(given);
    expect(given[0]?.tag).toBe('a');
    expect(mostUsedFirst([])).toEqual([]);
  });
});
