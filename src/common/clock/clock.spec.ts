import { jest } from '@jest/globals';
import { SystemClock } from './clock.js';

describe('the clock', () => {
  it("is the machine's until it is told to follow another", () => {
    const clock = new SystemClock();
    expect(Math.abs(clock.nowMs() - Date.now())).toBeLessThan(5_000);
    const at = performance.now();
    clock.follow(1_000_000, at);
    expect(clock.nowMs()).toBeGreaterThanOrEqual(1_000_000);
    expect(clock.nowMs()).toBeLessThanOrEqual(1_000_000 + Math.ceil(performance.now() - at));
  });

  it('stands still instead of going back a little, and goes back a lot', () => {
    const clock = new SystemClock();
    const elapsed = jest.spyOn(performance, 'now').mockReturnValue(5_000);
    try {
      clock.follow(10_000_000, 5_000);
      expect(clock.nowMs()).toBe(10_000_000);
      clock.follow(10_000_000 - 900, 5_000);
      expect(clock.nowMs()).toBe(10_000_000);
      clock.follow(10_000_000 - 300_000, 5_000);
      expect(clock.nowMs()).toBe(10_000_000 - 300_000);
    } finally {
      elapsed.mockRestore();
    }
  });
});
