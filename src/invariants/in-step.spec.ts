import { inStep } from './in-step.js';

async function* of(...keys: string[]): AsyncGenerator<{ key: string }> {
  for (const key of keys) yield await Promise.resolve({ key });
}

async function steps(left: string[], right: string[]): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const [key, lefts, other] of inStep(of(...left), of(...right))) {
    found.push([key, lefts.length, other !== null]);
  }
  return found;
}

describe('inStep', () => {
  it('pairs what both sides have and tells what only one has', async () => {
    expect(await steps(['a', 'b', 'b', 'd'], ['b', 'c', 'd', 'e'])).toEqual([
      ['a', 1, false],
      ['b', 2, true],
      ['c', 0, true],
      ['d', 1, true],
      ['e', 0, true],
    ]);
  });

  it('ends with both sides, whichever is longer', async () => {
    expect(await steps([], ['a'])).toEqual([['a', 0, true]]);
    expect(await steps(['a', 'b'], [])).toEqual([
      ['a', 1, false],
      ['b', 1, false],
    ]);
    expect(await steps([], [])).toEqual([]);
  });

  it('compares by bytes, as stores and database order their keys', async () => {
    // UTF-16 has the second before the first.
    const [basic, astral] = ['\uffee', '\u{1f600}'];
    expect(await steps([basic], [astral])).toEqual([
      [basic, 1, false],
      [astral, 0, true],
    ]);
  });
});
