/** Bounds how many deliveries run at once, overall and to one host, so that a slow receiver delays only itself. */
export class HostSlots {
  private readonly perHost = new Map<string, number>();
  private total = 0;

  constructor(
    private readonly maxTotal: number,
    private readonly maxPerHost: number,
  ) {}

  get free(): number {
    return this.maxTotal - this.total;
  }

  /** Hosts that have no slot left. */
  get busyHosts(): string[] {
    return [...this.perHost].filter(([, used]) => used >= this.maxPerHost).map(([host]) => host);
  }

  take(host: string): void {
    this.total++;
    this.perHost.set(host, (this.perHost.get(host) ?? 0) + 1);
  }

  release(host: string): void {
    this.total--;
    const used = (this.perHost.get(host) ?? 1) - 1;
    if (used === 0) this.perHost.delete(host);
    else this.perHost.set(host, used);
  }
}
