import { createHash } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { PlainServer } from './plain-server.js';

/** The smallest picture that browsers show; they overlook what follows its end. */
const DOT = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** A site of pages with large pictures: it answers the same each time, unless a page is changed. */
export class PictureSite {
  readonly asked: string[] = [];
  /** Paths that are answered with something else than before. */
  readonly changed = new Set<string>();

  private constructor(
    private readonly server: PlainServer,
    readonly pages: number,
  ) {}

  static async start(
    options: { pages?: number; pictures?: number; bytes?: number; delayMs?: number } = {},
  ): Promise<PictureSite> {
    const { pages = 6, pictures = 3, bytes = 600_000, delayMs = 0 } = options;
    let site: PictureSite | undefined = undefined;
    const server = await PlainServer.start((request, response) => {
      const path = request.url ?? '/';
      site?.asked.push(path);
      const isChanged = site?.changed.has(path) ?? false;
      setTimeout(() => answer(path, { pages, pictures, bytes, isChanged }, response), delayMs);
    });
    site = new PictureSite(server, pages);
    return site;
  }

  get url(): string {
    return this.server.url;
  }

  close(): Promise<void> {
    return this.server.close();
  }
}

interface Shape {
  readonly pages: number;
  readonly pictures: number;
  readonly bytes: number;
  readonly isChanged: boolean;
}

function answer(path: string, { pages, pictures, bytes, isChanged }: Shape, response: ServerResponse): void {
  const page = /^\/(?:page-(\d+))?$/.exec(path);
  if (page) {
    const number = Number(page[1] ?? 0);
    const links = Array.from(
      { length: pages - 1 },
      (_, i) => `<a href="/page-${String(i + 1)}">page ${String(i + 1)}</a>`,
    );
    const shown = Array.from({ length: pictures }, (_, i) => `<img src="/picture-${String(number)}-${String(i)}.png">`);
    // The same bytes under an address of every page's own.
    shown.push(`<img src="/logo.png?page=${String(number)}">`);
    const text = Array.from({ length: 60 }, (_, i) => `<p>Line ${String(i)} of page ${String(number)}.</p>`);
    const news = isChanged ? '<p>Something new.</p>' : '';
    response.setHeader('content-type', 'text/html');
    response.end(
      `<!doctype html><title>Page ${String(number)}</title><link rel="icon" href="data:,">${news}${shown.join('')}${number === 0 ? links.join(' ') : ''}${text.join('')}`,
    );
  } else if (path.endsWith('.png') || path.startsWith('/logo.png')) {
    const seed = path.startsWith('/logo') ? '/logo.png' : path;
    response.setHeader('content-type', 'image/png');
    response.end(Buffer.concat([DOT, noise(isChanged ? `${seed} changed` : seed, bytes)]));
  } else response.writeHead(404).end();
}

/** Bytes that do not compress, the same for each seed. */
function noise(seed: string, bytes: number): Buffer {
  const parts: Buffer[] = [];
  let last = createHash('sha256').update(seed).digest();
  for (let size = 0; size < bytes; size += last.length) {
    parts.push(last);
    last = createHash('sha256').update(last).digest();
  }
  return Buffer.concat(parts);
}
