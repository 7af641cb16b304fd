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
}

@Injectable()
export class SystemClock extends Clock {
  now(): Date {
    return new Date();
  }
}
