import { RecentlyUsed } from './recently-used.js';

describe('what is recently used', () => {
  it('is made once, and forgotten when others were asked for since', () => {
    const made: string[] = [];
    const kept = new RecentlyUsed<string>(2);
    const ask = (name: string) => kept.of(name, () => (made.push(name), name.toUpperCase()));
    expect([ask('a'), ask('b'), ask('a'), ask('c'), ask('a'), ask('b')]).toEqual(['A', 'B', 'A', 'C', 'A', 'B']);
    expect(made).toEqual(['a', 'b', 'c', 'b']);
    kept.forget('b');
    ask('b');
    expect(made).toEqual(['a', 'b', 'c', 'b', 'b']);
  });
});
