import { rememberedCounts, type Remembered } from './remembered.js';

describe('remembered counts', () => {
  let now = 0;
  let counted: string[] = [];
  let counts: Remembered<number>;
  const ask = (key: string, number: number) =>
    counts.of(key, () => {
      counted.push(key);
      return Promise.resolve(number);
    });

  beforeEach(() => {
    [now, counted] = [0, []];
    counts = rememberedCounts(() => now);
  });

  it('are not counted again for ten seconds', async () => {
    expect(await ask('a', 50_000)).toBe(50_000);
    now = 9_999;
    expect(await ask('a', 50_001)).toBe(50_000);
    now = 10_000;
    expect(await ask('a', 50_001)).toBe(50_001);
    expect(counted).toEqual(['a', 'a']);
  });

  it('leave small numbers to be counted each time, also where they were large', async () => {
    expect([await ask('a', 19_999), await ask('a', 19_998)]).toEqual([19_999, 19_998]);
    await ask('b', 20_000);
    now = 10_000;
    expect([await ask('b', 1), await ask('b', 2)]).toEqual([1, 2]);
  });

  it('are a thousand, the oldest are forgotten', async () => {
    for (let n = 0; n <= 1_000; n++) await ask(`of ${n}`, 30_000);
    expect(await ask('of 1', 1)).toBe(30_000);
    expect(await ask('of 0', 1)).toBe(1);
  });

  it('of a count that fails are none', async () => {
    await expect(counts.of('a', () => Promise.reject(new Error('away')))).rejects.toThrow('away');
    expect(await ask('a', 30_000)).toBe(30_000);
  });
});
