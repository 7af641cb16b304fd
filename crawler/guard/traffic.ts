/** Sites remembered; a browser reads from far fewer at the same time. */
const MAX_SITES = 10_000;

/** Counts the browser's bytes from each host and port as they pass: DevTools tells only of ended bodies. */
export class Traffic {
  private readonly bytes = new Map<string, number>();

  add(host: string, port: number, count: number): void {
    const site = siteOf(host, port);
    const sum = (this.bytes.get(site) ?? 0) + count;
    // Re-inserted, so that the site longest without traffic comes first.
    this.bytes.delete(site);
    this.bytes.set(site, sum);
    if (this.bytes.size <= MAX_SITES) return;
    for (const oldest of this.bytes.keys()) {
      this.bytes.delete(oldest);
      return;
    }
  }

  /** Bytes received so far from the site of this URL. */
  of(url: string): number {
    const { protocol, hostname, port } = new URL(url);
    return this.bytes.get(siteOf(hostname, Number(port) || (protocol === 'https:' ? 443 : 80))) ?? 0;
  }
}

function siteOf(host: string, port: number): string {
  return `${host.toLowerCase()}:${port}`;
}
