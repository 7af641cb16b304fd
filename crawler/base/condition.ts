/** Lets loops wait until something has changed. */
export class Condition {
  private waiters = new Set<() => void>();

  /** Wakes everyone who waits. */
  notify(): void {
    const waiters = this.waiters;
    this.waiters = new Set();
    for (const wake of waiters) wake();
  }

  /** Resolves at the next `notify`, or after `mostMs`. */
  wait(mostMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.waiters.delete(done);
        resolve();
      };
      const timer = setTimeout(done, mostMs);
      this.waiters.add(done);
    });
  }
}
