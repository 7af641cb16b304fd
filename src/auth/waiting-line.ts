/** Waiters look again by themselves, because other processes can't call them. */
const LOOK_AGAIN_MS = 250;

/** Waiters for the same name, called in the order of their arrival. */
export class WaitingLine {
  private readonly waiting = new Map<string, Set<() => void>>();

  /** Resolves when the waiter is called, or after a while. */
  async wait(name: string): Promise<void> {
    const line = this.waiting.get(name) ?? new Set();
    this.waiting.set(name, line);
    let late: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      const call = (): void => {
        clearTimeout(late);
        line.delete(call);
        if (line.size === 0 && this.waiting.get(name) === line) this.waiting.delete(name);
        resolve();
      };
      line.add(call);
      late = setTimeout(call, LOOK_AGAIN_MS);
    });
  }

  callNext(name: string): void {
    for (const call of this.waiting.get(name) ?? []) return call();
  }

  callAll(name: string): void {
    for (const call of [...(this.waiting.get(name) ?? [])]) call();
  }
}
