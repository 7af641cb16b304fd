/** Remembers what was asked for last, and forgets what was not asked for the longest. */
export class RecentlyUsed<T> {
  /** The one asked for longest ago comes first. */
  private readonly kept = new Map<string, T>();

  constructor(private readonly most: number) {}

  /** What is remembered under the name, or made and remembered. */
  of(name: string, make: () => T): T {
    const found = this.kept.get(name) ?? make();
    this.kept.delete(name);
    this.kept.set(name, found);
    const [oldest] = this.kept.keys();
    if (this.kept.size > this.most && oldest !== undefined) this.kept.delete(oldest);
    return found;
  }

  forget(name: string): void {
    this.kept.delete(name);
  }
}
