import { waczName } from '../../../formats/wacz/wacz-name.js';
import type { CrawlerPage, CrawlJobSpec } from '../crawl-driver.types.js';
import type { FakeOutbox } from './fake-outbox.js';
import type { FakeScript } from './fake-script.js';
import { buildFakeWacz, type FakePageContent } from './fake-wacz.js';

/** Stores a fake run's WACZ under its name. @throws when the store is down; the run then tries again later */
export type StoreWacz = (bytes: Buffer, name: string) => Promise<{ key: string; size: number; hash: string }>;

/** The pages that a fake run has visited and not stored yet. They become one WACZ. */
export class FakeSegment {
  private name = '';
  private pages: FakePageContent[] = [];
  private logLines: string[] = [];

  constructor(
    private readonly script: FakeScript,
    private readonly store: StoreWacz,
    private readonly outbox: FakeOutbox,
  ) {}

  get pageBytes(): number {
    return this.pages.length * this.script.bytesPerPage;
  }

  /** Name of the segment's WACZ. It is given when the first page is visited. */
  nameAt(atMs: number, { storageFilename, jobId }: CrawlJobSpec): string {
    if (this.pages.length === 0) this.name = waczName(storageFilename, jobId, 0, new Date(atMs).toISOString());
    return this.name;
  }

  add(page: CrawlerPage): void {
    this.pages.push({ page, html: `<!doctype html><title>${page.title ?? ''}</title><h1>${page.url}</h1>` });
  }

  log(line: string): void {
    this.logLines.push(line);
  }

  /** Stores the WACZ and reports the file. @returns false when the store refused it; the pages stay for another try */
  async pack(at: Date, { warcPrefix, jobId }: CrawlJobSpec): Promise<boolean> {
    if (this.pages.length === 0) return true;
    const padding = this.script.padBytes > 0 ? ['x'.repeat(this.script.padBytes)] : [];
    const logLines = [...this.logLines, ...padding];
    const bytes = await buildFakeWacz({ warcPrefix, jobId, created: at, pages: this.pages, logLines });
    try {
      const { key, size, hash } = await this.store(bytes, this.name);
      this.outbox.put({ type: 'file', filename: key, size, hash, completed: true });
    } catch {
      return false;
    }
    this.pages = [];
    this.logLines = [];
    return true;
  }
}
