import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CrawlJobSpec, QaResource } from '../../../src/drivers/crawl-driver.types.js';
import { kill } from '../../../src/drivers/local/processes.js';
import { builtCrawler } from '../../support/build-crawler.js';
import { LocalDriverUnderTest } from '../../support/local-driver.js';
import { processesOf } from '../../support/product.js';

const PATHS = ['/', '/a', '/b', ...[1, 2, 3, 4, 5, 6, 7].map((n) => `/news/${String(n)}`)];
const RUN_MS = 180_000;

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
}

describe('a QA run of the local driver', () => {
  let t: LocalDriverUnderTest;
  let site: Server;
  let objects: Server;
  let crawl: CrawlJobSpec;
  let crawled: string[];
  let resource: QaResource;
  /** `sig` of the requests of the object store, how many of them it refuses first, and what it waits for. */
  const signatures: string[] = [];
  let refusals = 0;
  let opening: Promise<void> | undefined;
  let runs = 0;

  beforeAll(async () => {
    t = await LocalDriverUnderTest.open(await builtCrawler());
    site = createServer((request, response) => {
      const links = request.url === '/' ? PATHS.map((path) => `<a href="${path}">${path}</a>`).join(' ') : '';
      response
        .setHeader('content-type', 'text/html')
        .end(`<title>${request.url ?? ''}</title><h1>Page ${request.url ?? ''}</h1>${links}`);
    });
    // The object store as the child sees it: presigned URLs with ranges.
    const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
      const url = new URL(request.url ?? '', 'http://local');
      signatures.push(url.searchParams.get('sig') ?? '');
      await opening;
      if (refusals > 0) {
        refusals--;
        response.writeHead(503).end();
        return;
      }
      const bytes = t.store.objects.get(url.pathname.slice(1)) ?? Buffer.alloc(0);
      const [, from = '0', to = ''] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? '') ?? [];
      const part = bytes.subarray(Number(from), to === '' ? undefined : Number(to) + 1);
      response.writeHead(request.headers.range ? 206 : 200, { 'content-length': part.length }).end(part);
    };
    objects = createServer((request, response) => void serve(request, response));
    const [siteUrl, objectsUrl] = [await listen(site), await listen(objects)];
    crawl = t.job('', { config: { seeds: [{ url: siteUrl }], scopeType: 'prefix', behaviors: '' } });
    await t.over(crawl, 'done', RUN_MS);
    crawled = t.pages.map(({ id }) => id).sort();
    const { filename = '', size = 0, hash = '' } = t.files[0] ?? {};
    await t.driver.remove(crawl.jobId);
    resource = {
      name: filename.split('/').at(-1) ?? '',
      path: `${objectsUrl}${filename}?sig=1`,
      hash,
      size,
      crawlId: crawl.jobId,
      numReplicas: 0,
      expireAt: null,
      fromDependency: false,
    };
  }, RUN_MS + 60_000);

  beforeEach(() => {
    t.events.splice(0);
    signatures.splice(0);
  });

  afterAll(async () => {
    await t?.close();
    for (const server of [site, objects]) {
      server?.closeAllConnections();
      server?.close();
    }
  });

  const aRun = (changes: Partial<CrawlJobSpec> = {}): CrawlJobSpec =>
    t.job('', {
      kind: 'qa',
      jobId: `qa-2020112105421${String(runs++)}-00000000-abc`,
      crawlId: crawl.jobId,
      config: { ...crawl.config },
      qaSource: { resources: [resource] },
      storage: { ...crawl.storage, keyPrefix: `${crawl.oid}/qa/` },
      windowsPerInstance: 1,
      ...changes,
    });
  const ids = (): string[] => [...new Set(t.pages.map(({ id }) => id))].sort();
  const scores = () => t.pages.map(({ comparison }) => [comparison?.screenshotMatch, comparison?.textMatch]);

  it('compares each page of a crawl under its own id, and stores its result', async () => {
    const qa = aRun();
    const seen = await t.over(qa, 'done', RUN_MS);
    expect(seen).toMatchObject({ found: PATHS.length, done: PATHS.length, instances: [{ exitCode: 0 }] });
    expect(crawled).toHaveLength(PATHS.length);
    expect(ids()).toEqual(crawled);
    expect(scores()).toEqual(crawled.map(() => [expect.closeTo(1, 2), 1]));
    expect(t.files).toHaveLength(1);
    expect(t.files[0]?.filename).toMatch(new RegExp(`^${crawl.oid}/qa/`));
    await t.driver.remove(qa.jobId);
  });

  it('looks at a sample when it is asked to', async () => {
    const qa = aRun({ config: { ...crawl.config, include: ['\\/news\\/'], scopeType: 'custom', limit: 1 } });
    expect(await t.over(qa, 'done', RUN_MS)).toMatchObject({ found: 1, done: 1 });
    expect(t.pages.map(({ url }) => new URL(url).pathname)).toEqual([expect.stringMatching(/^\/news\//)]);
    await t.driver.remove(qa.jobId);
  });

  it('goes on where it was when its child and browser are killed, and none of its findings is lost', async () => {
    const qa = aRun({ browserWindows: 1 });
    await t.until(qa, () => t.pages.length > 0, { boundMs: RUN_MS });
    for (const line of await processesOf(t.dir(qa))) kill(Number.parseInt(line, 10), 'SIGKILL');
    await t.until(qa, ({ instances }) => instances[0]?.phase === 'backoff');
    t.clock.advance(60_000);
    await t.over(qa, 'done', RUN_MS);
    expect(ids()).toEqual(crawled);
    expect(new Set(scores().map(([, text]) => text))).toEqual(new Set([1]));
    await t.driver.remove(qa.jobId);
  }, 400_000);

  it('reads with renewed URLs once the driver has them, and waits for a store that is away for a moment', async () => {
    const qa = aRun({ config: { ...crawl.config, limit: 3 } });
    const renewed = {
      ...qa,
      qaSource: { resources: [{ ...resource, path: resource.path.replace('sig=1', 'sig=2') }] },
    };
    let open = (): void => undefined;
    opening = new Promise((resolve) => (open = resolve));
    refusals = 2;
    await t.until(qa, () => signatures.length > 0, { boundMs: RUN_MS });
    await t.driver.ensure(renewed, 1, {});
    open();
    await t.over(renewed, 'done', RUN_MS);
    expect(t.pages).toHaveLength(3);
    expect(scores()).toEqual(t.pages.map(() => [expect.closeTo(1, 2), 1]));
    expect(signatures[0]).toBe('1');
    expect(signatures.at(-1)).toBe('2');
    expect(refusals).toBe(0);
    await t.driver.remove(qa.jobId);
  }, 400_000);
});
