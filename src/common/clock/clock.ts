import { Injectable } from '@nestjs/common';

/** The only source of time; tests bind a clock that they move. */
export abstract class Clock {
  /** The present moment, with milliseconds. */
  abstract now(): Date;

  /** The present moment truncated to whole seconds: the form of every server-made timestamp (accounts §1.6). */
  timestamp(): Date {
    return new Date(Math.floor(this.now().getTime() / 1000) * 1000);
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

/** A step back that is smaller is waited out, so that what happens later is never dated earlier. */
const WAITED_OUT_MS = 1_000;

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
