/** Runs tasks one after the other, in the order they were added. A failed task does not stop the next. */
export class Serial {
  private tail: Promise<unknown> = Promise.resolve();
  private waiting = 0;

  get length(): number {
    return this.waiting;
  }

  run<T>(task: () => Promise<T> | T): Promise<T> {
    this.waiting++;
    const result = this.tail.then(task).finally(() => this.waiting--);
    this.tail = result.catch(() => undefined);
    return result;
  }

  async idle(): Promise<void> {
    await this.tail;
  }
}
