import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * A site whose pages are answered when the test says so: what a crawl does is seen by the pages it waits for, without
 * any clock.
 */
export class HeldSite {
  /** Paths of all pages asked for, in order. */
  readonly asked: string[] = [];
  private readonly held: { path: string; res: ServerResponse }[] = [];
  private isOpen = false;

  private constructor(
    /** Each page's links. */
    private readonly pages: Readonly<Record<string, readonly string[]>>,
    private readonly server = createServer(),
  ) {
    server.on('request', (req, res) => {
      const path = new URL(req.url ?? '/', 'http://site').pathname;
      if (!(path in this.pages)) return void res.writeHead(404).end();
      this.asked.push(path);
      // A page that the crawler gives up is nobody's any more.
      res.once('close', () => this.forget(res));
      if (this.isOpen) this.answer(path, res);
      else this.held.push({ path, res });
    });
  }

  static async start(pages: Readonly<Record<string, readonly string[]>>): Promise<HeldSite> {
    const site = new HeldSite(pages);
    await new Promise<void>((resolve) => site.server.listen(0, '127.0.0.1', resolve));
    return site;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  /** Pages that wait for their answer. */
  get waiting(): string[] {
    return this.held.map(({ path }) => path);
  }

  /** Answers the page that has waited longest. */
  release(): void {
    const next = this.held.shift();
    if (next) this.answer(next.path, next.res);
  }

  /** Answers everything, now and from now on. */
  open(): void {
    this.isOpen = true;
    while (this.held.length > 0) this.release();
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => this.server.close(() => resolve()));
  }

  private answer(path: string, res: ServerResponse): void {
    const links = (this.pages[path] ?? []).map((link) => `<a href="${link}">${link}</a>`).join(' ');
    res.setHeader('content-type', 'text/html; charset=utf-8');
    res.end(`<!doctype html><title>${path}</title><h1>${path}</h1>${links}`);
  }

  private forget(res: ServerResponse): void {
    const at = this.held.findIndex((each) => each.res === res);
    if (at >= 0) this.held.splice(at, 1);
  }
}
