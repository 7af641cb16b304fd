import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CrawlerPage, CrawlJobSpec, FileEvent, JobObservation } from '../../src/drivers/crawl-driver.types.js';
import { builtCrawler } from './build-crawler.js';
import { CONTAINER_HOST } from './container-host.js';
import type { ContainerStage, StageOptions } from './container-driver.js';
import { aCrawlJobSpec } from './crawl-job-spec.js';
import { eventually } from './eventually.js';
import { pagesOfWhole } from './replayed.js';

/** A site whose first page links to all others. */
interface SlowSite {
  server: Server;
  url: string;
  /** How long the answer to a page takes. */
  pageMs: number;
}

/** A crawl by the real crawler in containers of a site that answers slowly. */
export class ContainerCrawl<Stage extends ContainerStage> {
  readonly pages: CrawlerPage[] = [];
  readonly files: FileEvent[] = [];

  private constructor(
    readonly stage: Stage,
    readonly spec: CrawlJobSpec,
    readonly site: SlowSite,
    private readonly pageCount: number,
  ) {}

  static async start<S extends ContainerStage>(
    makeStage: (options: StageOptions) => Promise<S>,
    { pages, ...changes }: Partial<CrawlJobSpec> & { pages: number },
  ): Promise<ContainerCrawl<S>> {
    const env = { ALLOW_PRIVATE_ADDRESSES: 'crawls', CHROMIUM_PATH: process.env['CHROMIUM_PATH'] ?? '' };
    const stage = await makeStage({ crawlerEntry: await builtCrawler(), env });
    const site = await startSite(pages);
    const made = aCrawlJobSpec(changes);
    const spec = {
      ...made,
      config: { seeds: [{ url: site.url }], scopeType: 'prefix', behaviors: '', limit: 0 },
      storage: { ...made.storage, s3: stage.s3 },
    };
    return new ContainerCrawl(stage, spec, site, pages);
  }

  /** Ticks as the supervisor does, taking the events, until the observation is as wanted. */
  until(check: (seen: JobObservation) => boolean, instances = 1): Promise<JobObservation> {
    const { driver } = this.stage;
    return eventually(
      async () => {
        await driver.ensure(this.spec, instances, {});
        const seen = await driver.observe(this.spec.jobId);
        const batch = await driver.drain(this.spec.jobId, 100);
        for (const event of batch.events) {
          if (event.type === 'page') this.pages.push(event.page);
          if (event.type === 'file') this.files.push(event);
        }
        await batch.ack();
        if (batch.events.length > 0 || !check(seen)) throw new Error(`not yet: ${JSON.stringify(seen)}`);
        return seen;
      },
      120_000,
      200,
    );
  }

  /** Names of the WACZs by page, of pages that were told of. */
  get waczOfPages(): Map<string, string> {
    return new Map(this.pages.map(({ id, filename }) => [id, filename ?? '']));
  }

  /**
   * Every page of the site was crawled, and is in one WACZ; all of these are without fault, and replay. A page whose instance died
   * after it had told of it is told again, with the same id.
   */
  async expectWhole(): Promise<void> {
    const byId = new Map(this.pages.map((page) => [page.id, page]));
    expect(new Set([...byId.values()].map(({ url }) => url)).size).toBe(this.pageCount);
    expect(byId.size).toBe(this.pageCount);
    const listed = await pagesOfWhole(this.files, this.stage.store);
    expect(listed.sort()).toEqual([...byId.keys()].sort());
  }

  async close(): Promise<void> {
    await this.stage.driver.remove(this.spec.jobId);
    await this.stage.close();
    this.site.server.close();
  }
}

/** Whether the only instance has ended so. */
export const over =
  (status: string) =>
  ({ instances: [first] }: JobObservation): boolean =>
    first?.phase === 'exited' && first.status === status;

async function startSite(pages: number): Promise<SlowSite> {
  const links = Array.from({ length: pages - 1 }, (_, i) => `<a href="/page-${String(i + 1)}">${String(i + 1)}</a>`);
  const site = { server: createServer(), url: '', pageMs: 700 };
  site.server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const path = request.url ?? '';
    const body = `<title>${path}</title><h1>${path}</h1>${path === '/' ? links.join('') : ''}`;
    setTimeout(() => response.setHeader('content-type', 'text/html').end(body), site.pageMs);
  });
  await new Promise<void>((resolve) => site.server.listen(0, CONTAINER_HOST, resolve));
  site.url = `http://${CONTAINER_HOST}:${String((site.server.address() as AddressInfo).port)}/`;
  return site;
}
