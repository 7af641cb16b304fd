/** Takes one step after another while steps are asked for. Steps never overlap. */
export class StepLoop {
  /** Whether something has changed since the last step began. */
  private dirty = false;
  private closed = false;
  private stepping: Promise<void> | undefined;

  constructor(
    private readonly step: () => Promise<void>,
    private readonly failed: (error: unknown) => void,
  ) {}

  get isClosed(): boolean {
    return this.closed;
  }

  /** Asks for a step. A call during a step asks for another one after it. */
  kick(): void {
    this.dirty = true;
    // The step never begins at once: a step may cause the next one before it has returned.
    this.stepping ??= Promise.resolve()
      .then(() => this.run())
      .finally(() => {
        this.stepping = undefined;
        if (this.dirty && !this.closed) this.kick();
      });
  }

  /** Resolves when the steps under way are over. */
  async settled(): Promise<void> {
    await this.stepping?.catch(() => undefined);
  }

  /** Prevents further steps. */
  close(): void {
    this.closed = true;
  }

  private async run(): Promise<void> {
    while (this.dirty && !this.closed) {
      this.dirty = false;
      try {
        await this.step();
      } catch (error) {
        this.failed(error);
      }
    }
  }
}
