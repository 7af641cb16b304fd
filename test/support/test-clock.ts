import { Clock } from '../../src/common/clock/clock.js';

/**
 * Stands still until it is moved. It begins years ago, so that a test which mixes it with a real clock (a store that
 * judges signatures, a browser that forgets cookies) fails on its first run, not in a week.
 */
export class TestClock extends Clock {
  private current = new Date('2020-11-21T08:00:00.000Z');

  now(): Date {
    return new Date(this.current);
  }

  advance(ms: number): void {
    this.current = new Date(this.current.getTime() + ms);
  }

  set(date: Date): void {
    this.current = new Date(date);
  }
}
