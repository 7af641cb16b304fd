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
    const at = performance.now();
    clock.follow(10_000_000, at);
    const before = clock.nowMs();
    clock.follow(before - 900, performance.now());
    expect(clock.nowMs()).toBe(before);
    clock.follow(before - 300_000, performance.now());
    expect(clock.nowMs()).toBeLessThan(before - 200_000);
  });
});
