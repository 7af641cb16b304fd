import { signedAt } from './presign-window.js';

const WEEK = 604_740;
const WINDOW = Math.floor(WEEK * 0.45);
const now = new Date('2025-01-02T03:04:05.678Z');

describe('signedAt', () => {
  it('is one moment for a whole window, then the next one', () => {
    const start = signedAt('k', now, WEEK);
    expect(start.getTime() % 1000).toBe(0);
    const seen = new Set<number>();
    for (let s = 0; s < WINDOW; s += 997) {
      seen.add(signedAt('k', new Date(start.getTime() + s * 1000), WEEK).getTime());
    }
    expect([...seen]).toEqual([start.getTime()]);
    expect(signedAt('k', new Date(start.getTime() + WINDOW * 1000), WEEK).getTime() - start.getTime()).toBe(
      WINDOW * 1000,
    );
    expect(signedAt('k', new Date(start.getTime() - 1), WEEK).getTime()).toBe(start.getTime() - WINDOW * 1000);
  });

  it('leaves half of the lifetime at the end of a window, and beside it what an unchanged answer may be older', () => {
    for (const lifetime of [60, 600, WEEK]) {
      for (let i = 0; i < 200; i++) {
        const left = signedAt(`key-${i}`, now, lifetime).getTime() + lifetime * 1000 - now.getTime();
        expect(left).toBeGreaterThanOrEqual(lifetime * 550 - 1000);
        expect(left).toBeLessThanOrEqual(lifetime * 1000);
      }
    }
  });

  it('shifts the windows of keys against each other', () => {
    const moments = new Set(Array.from({ length: 50 }, (_, i) => signedAt(`key-${i}`, now, WEEK).getTime()));
    expect(moments.size).toBe(50);
  });

  it('starts a new window when URLs were withdrawn, until the next regular one', () => {
    const clearedAt = new Date('2025-01-02T03:04:06Z');
    expect(signedAt('k', now, WEEK, clearedAt)).toEqual(clearedAt);
    const later = new Date(now.getTime() + WINDOW * 1000);
    expect(signedAt('k', later, WEEK, clearedAt)).toEqual(signedAt('k', later, WEEK));
  });
});
