import { createHash } from 'node:crypto';
import { DigestSet } from './digest-set.js';

const digest = (n: number): Buffer => createHash('sha256').update(String(n)).digest();
const range = (from: number, to: number): Buffer[] => Array.from({ length: to - from }, (_, n) => digest(from + n));

describe('a set of digests', () => {
  it('lacks what is referred to until it is found, in whichever order', () => {
    const set = new DigestSet();
    range(0, 6_000).forEach((one) => set.refer(one));
    range(5_000, 9_000).forEach((one) => set.have(one));
    range(8_000, 9_500).forEach((one) => set.refer(one));
    expect([set.size, set.lacking]).toEqual([9_500, 5_500]);
    range(0, 20_000).forEach((one) => set.meet(one));
    expect([set.size, set.lacking]).toEqual([9_500, 0]);
  });

  it('says which ones it lacks', () => {
    const set = new DigestSet();
    range(0, 3_000).forEach((one) => set.refer(one));
    range(0, 3_000).forEach((one, n) => n % 3 > 0 && set.meet(one));
    expect(range(0, 3_100).filter((one) => set.lacks(one))).toEqual(range(0, 3_000).filter((_, n) => n % 3 === 0));
    expect(set.lacking).toBe(1_000);
  });

  it('tells digests apart that begin alike', () => {
    const [one, other] = [Buffer.alloc(16, 7), Buffer.alloc(16, 7)];
    other[15] = 8;
    const set = new DigestSet();
    set.refer(one);
    set.have(other);
    expect([set.size, set.lacks(one), set.lacks(other)]).toEqual([2, true, false]);
  });
});
