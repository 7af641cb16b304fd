import { Injectable } from '@nestjs/common';
import { wholeSecond } from '../units/durations.js';

/** The clock stands still after a smaller step back, so that later events are never dated earlier. */
const WAITED_OUT_MS = 1_000;

/** The only source of time. Tests bind a clock that they move. */
export abstract class Clock {
  private lastMadeMs = 0;

  /** The present moment, with milliseconds. */
  abstract now(): Date;

  /** The present moment truncated to whole seconds: the form of every server-made timestamp (accounts §1.6). */
  timestamp(): Date {
    return wholeSecond(this.now());
  }

  /**
   * Time for creation fields, by which lists without `sortBy` are ordered. It has milliseconds and is later than every
   * earlier one of this process. Answers show it in whole seconds (`wireSecond`), like every server-made timestamp.
   */
  creationTime(): Date {
    const now = this.nowMs();
    const isSetBack = this.lastMadeMs - now > WAITED_OUT_MS;
    this.lastMadeMs = isSetBack ? now : Math.max(now, this.lastMadeMs + 1);
    return new Date(this.lastMadeMs);
  }

  nowMs(): number {
    return this.now().getTime();
  }

  /**
   * Follows another clock from now on: its time was `timeMs` when `performance.now()` was `atMs`.
   * @returns false for a clock that is moved by hand, which follows no other
   */
  follow(_timeMs: number, _atMs: number): boolean {
    return false;
  }
}

/** The machine's time. Once it follows another clock, changes of the machine's time no longer matter. */
@Injectable()
export class SystemClock extends Clock {
  private origin: { timeMs: number; atMs: number } | null = null;
  private lastMs = 0;

  now(): Date {
    const { origin } = this;
    const now = origin ? Math.floor(origin.timeMs + performance.now() - origin.atMs) : Date.now();
    const isSmallStepBack = now < this.lastMs && this.lastMs - now < WAITED_OUT_MS;
    if (!isSmallStepBack) this.lastMs = now;
    return new Date(this.lastMs);
  }

  override follow(timeMs: number, atMs: number): boolean {
    this.origin = { timeMs, atMs };
    return true;
  }
}
