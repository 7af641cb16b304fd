import { Injectable } from '@nestjs/common';
import { wholeSecond } from '../units/durations.js';

/** A step back that is smaller is waited out, so that what happens later is never dated earlier. */
const WAITED_OUT_MS = 1_000;

/** The only source of time; tests bind a clock that they move. */
export abstract class Clock {
  private lastMadeMs = 0;

  /** The present moment, with milliseconds. */
  abstract now(): Date;

  /** The present moment truncated to whole seconds: the form of every server-made timestamp (accounts §1.6). */
  timestamp(): Date {
    return wholeSecond(this.now());
  }

  /**
   * When something is made, for fields that lists without `sortBy` go by: with milliseconds, and later than what this
   * process made before. Shown in whole seconds (`wireSecond`), as every server-made timestamp.
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
   * Goes by another clock from now on: its time was `timeMs` when `performance.now()` was `atMs`.
   * @returns whether it does: a clock that is moved by hand does not
   */
  follow(_timeMs: number, _atMs: number): boolean {
    return false;
  }
}

/** The machine's time, or that of the clock it was told to follow, whatever is done to the machine's meanwhile. */
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
