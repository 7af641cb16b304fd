export interface ClaimLimits {
  readonly total: number;
  readonly perHost: number;
  readonly perOrg: number;
}

/** How much a worker has claimed, in total, per host and per org; what is full claims no more. */
export class ClaimCounts {
  private readonly hosts = new Map<string, number>();
  private readonly orgs = new Map<string, number>();
  private total = 0;

  constructor(private readonly limits: ClaimLimits) {}

  get free(): number {
    return this.limits.total - this.total;
  }

  get busy(): { hosts: string[]; oids: string[] } {
    return { hosts: fullOf(this.hosts, this.limits.perHost), oids: fullOf(this.orgs, this.limits.perOrg) };
  }

  take(host: string, oid: string): void {
    this.total++;
    this.hosts.set(host, (this.hosts.get(host) ?? 0) + 1);
    this.orgs.set(oid, (this.orgs.get(oid) ?? 0) + 1);
  }

  release(host: string, oid: string): void {
    this.total--;
    lower(this.hosts, host);
    lower(this.orgs, oid);
  }

  /** Whether a host has so few left that a look for more pays. */
  isLow(host: string): boolean {
    return (this.hosts.get(host) ?? 0) <= this.limits.perHost / 2;
  }
}

const fullOf = (counts: ReadonlyMap<string, number>, limit: number): string[] =>
  [...counts].filter(([, count]) => count >= limit).map(([key]) => key);

function lower(counts: Map<string, number>, key: string): void {
  const left = (counts.get(key) ?? 1) - 1;
  if (left === 0) counts.delete(key);
  else counts.set(key, left);
}
