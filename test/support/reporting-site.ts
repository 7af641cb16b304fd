import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Tells the site what happens in its pages. */
const SCRIPT = `<script>
  const tell = (what) => fetch('/told?' + encodeURIComponent(what));
  addEventListener('click', (event) => {
    if (event.target === document.documentElement || event.target === document.body)
      tell(document.title + ' clicked at ' + event.clientX + ',' + event.clientY);
  });
  addEventListener('keydown', (event) => event.key === 'Escape' && close());
  addEventListener('input', (event) => tell(event.target.id + ' is ' + event.target.value));
</script>`;

const STYLE = `<style>
  * { margin: 0; }
  html, body { height: 100%; }
  #text, #pick, #open { position: absolute; left: 100px; width: 200px; height: 40px; box-sizing: border-box; }
  #text { top: 100px; } #pick { top: 200px; } #open { top: 500px; }
  option { height: 40px; padding: 0; }
</style>`;

const PAGES: Readonly<Record<string, string>> = {
  '/': `<input id="text"><select id="pick"><option>one<option>two<option>three</select>
    <button id="open" onclick="open('/popup', 'p', 'width=400,height=300')">Log in</button>`,
  '/popup': '<p>popup</p>',
  '/other': '<p>other</p>',
};

/** A site whose pages tell it what a person does in them. */
export class ReportingSite {
  readonly told: string[] = [];
  /** Paths of the pages asked for. */
  readonly asked: string[] = [];

  private readonly server: Server = createServer((request, response) => {
    const { pathname, search } = new URL(request.url ?? '/', 'http://site');
    const page = PAGES[pathname];
    if (pathname === '/told') this.told.push(decodeURIComponent(search.slice(1)));
    if (page !== undefined) this.asked.push(pathname);
    response.writeHead(page === undefined ? 204 : 200, { 'content-type': 'text/html', 'cache-control': 'no-store' });
    response.end(page && `<!doctype html><title>${pathname}</title>${SCRIPT}${STYLE}<body>${page}`);
  });

  static async start(): Promise<ReportingSite> {
    const site = new ReportingSite();
    await new Promise<void>((resolve) => site.server.listen(0, '127.0.0.1', resolve));
    return site;
  }

  get url(): string {
    return `http://127.0.0.1:${String((this.server.address() as AddressInfo).port)}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
