/**
 * Runs a piece of work one at a time. All calls that arrive during a run share one next run. So whoever awaits a call
 * has seen a whole run that began after it.
 */
export class Coalesced<T> {
  private running: Promise<T> | null = null;
  private next: Promise<T> | null = null;

  constructor(private readonly work: () => Promise<T>) {}

  run(): Promise<T> {
    if (!this.running) return this.begin();
    this.next ??= this.running.then(
      () => this.begin(),
      () => this.begin(),
    );
    return this.next;
  }

  private begin(): Promise<T> {
    this.next = null;
    const running = this.work().finally(() => {
      if (this.running === running) this.running = null;
    });
    this.running = running;
    return running;
  }
}
