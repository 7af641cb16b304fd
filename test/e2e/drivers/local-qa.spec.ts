import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { builtCrawler } from '../../support/build-crawler.js';
import { LocalDriverUnderTest } from '../../support/local-driver.js';

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`;
}

const closing: (() => Promise<unknown> | void)[] = [];

afterAll(async () => {
  for (const close of closing) await close();
}, 60_000);

it('a QA run compares each page of a crawl under its own id, and stores its result', async () => {
  const t = await LocalDriverUnderTest.open(await builtCrawler());
  const site = createServer((request, response) => {
    const links = request.url === '/' ? '<a href="/a">a</a><a href="/b">b</a>' : '';
    response
      .setHeader('content-type', 'text/html')
      .end(`<title>${request.url ?? ''}</title><h1>Page ${request.url ?? ''}</h1>${links}`);
  });
  // The object store as the child sees it: presigned URLs with ranges.
  const objects = createServer((request, response) => {
    const bytes = t.store.objects.get((request.url ?? '').slice(1)) ?? Buffer.alloc(0);
    const [, from = '0', to = ''] = /bytes=(\d+)-(\d*)/.exec(request.headers.range ?? '') ?? [];
    const part = bytes.subarray(Number(from), to === '' ? undefined : Number(to) + 1);
    response.writeHead(request.headers.range ? 206 : 200, { 'content-length': part.length }).end(part);
  });
  const [siteUrl, objectsUrl] = [await listen(site), await listen(objects)];
  closing.push(
    () => t.close(),
    () => void site.close(),
    () => void objects.close(),
  );
  const crawl = t.job('', { config: { seeds: [{ url: siteUrl }], scopeType: 'prefix', behaviors: '' } });
  await t.over(crawl, 'done', 90_000);
  const crawled = t.pages.map(({ id }) => id).sort();
  const [file] = t.files;
  expect(crawled).toHaveLength(3);
  t.events.splice(0);
  await t.driver.remove(crawl.jobId);

  const { filename = '', size = 0, hash = '' } = file ?? {};
  const resource = {
    name: filename.split('/').at(-1) ?? '',
    path: `${objectsUrl}${filename}`,
    hash,
    size,
    crawlId: crawl.jobId,
    numReplicas: 0,
    expireAt: null,
    fromDependency: false,
  };
  const qa = t.job('', {
    kind: 'qa',
    jobId: 'qa-20261121054215-00000000-abc',
    crawlId: crawl.jobId,
    config: { seeds: [{ url: siteUrl }], scopeType: 'prefix' },
    qaSource: { resources: [resource] },
    storage: { ...crawl.storage, keyPrefix: `${crawl.oid}/qa/` },
    windowsPerInstance: 1,
  });
  const seen = await t.over(qa, 'done', 120_000);
  expect(seen).toMatchObject({ found: 3, done: 3, instances: [{ exitCode: 0 }] });
  expect(t.pages.map(({ id }) => id).sort()).toEqual(crawled);
  for (const { comparison } of t.pages) {
    expect(comparison?.screenshotMatch).toBeGreaterThan(0.99);
    expect(comparison?.textMatch).toBe(1);
  }
  expect(t.files).toHaveLength(1);
  expect(t.files[0]?.filename).toMatch(new RegExp(`^${crawl.oid}/qa/`));
}, 260_000);
