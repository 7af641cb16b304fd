/** Lets so many pieces of work run at a time; the others wait in the order in which they came. */
export class Turns {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(atOnce: number) {
    this.free = Math.max(1, atOnce);
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.free > 0) this.free -= 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await work();
    } finally {
      // The turn is handed on as it is, so that nobody who comes now gets in between.
      const next = this.waiting.shift();
      if (next) next();
      else this.free += 1;
    }
  }
}
