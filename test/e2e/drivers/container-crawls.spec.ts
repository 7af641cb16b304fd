import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CrawlerPage, CrawlJobSpec, FileEvent, JobObservation } from '../../../src/drivers/crawl-driver.types.js';
import { builtCrawler } from '../../support/build-crawler.js';
import { dockerStage, type ContainerStage, type StageOptions } from '../../support/container-driver.js';
import { aCrawlJobSpec } from '../../support/crawl-job-spec.js';
import { eventually } from '../../support/eventually.js';
import { KubeApiserver } from '../../support/kube-apiserver.js';
import { kubernetesStage } from '../../support/kubernetes-driver.js';
import { RedisServer } from '../../support/redis-server.js';
import { faultsOf, WaczFile } from '../../support/wacz-file.js';

const PAGES = 16;

function startSite(): Promise<{ server: Server; url: string }> {
  const server = createServer((request, response) => {
    const links = Array.from({ length: PAGES - 1 }, (_, i) => `<a href="/page-${String(i + 1)}">${String(i + 1)}</a>`);
    const body = `<title>${request.url ?? ''}</title><h1>${request.url ?? ''}</h1>${request.url === '/' ? links.join('') : ''}`;
    setTimeout(() => response.setHeader('content-type', 'text/html').end(body), 700);
  });
  return new Promise((resolve) =>
    server.listen(0, '127.0.0.1', () =>
      resolve({ server, url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/` }),
    ),
  );
}

const redis = await RedisServer.start();
const apiserver = redis ? await KubeApiserver.start() : null;
afterAll(async () => {
  await apiserver?.stop();
  await redis?.stop();
});

type MakeStage = (options: StageOptions) => Promise<ContainerStage>;
const stages: [name: string, isHere: boolean, make: MakeStage][] = [
  ['docker', redis !== null, (options) => dockerStage(redis!, options)],
  ['kubernetes', apiserver !== null, (options) => kubernetesStage(apiserver!, redis!, options)],
];

describe.each(stages)('the %s driver with the real crawler', (_name, isHere, makeStage) => {
  // What is absent has been said loudly.
  if (!isHere) return it.skip('crawls', () => undefined);
  let stage: ContainerStage;
  let site: { server: Server; url: string };
  let spec: CrawlJobSpec;
  let pages: CrawlerPage[];
  let files: FileEvent[];

  beforeEach(async () => {
    const env = { ALLOW_PRIVATE_ADDRESSES: 'crawls', CHROMIUM_PATH: process.env['CHROMIUM_PATH'] ?? '' };
    stage = await makeStage({ crawlerEntry: await builtCrawler(), env });
    site = await startSite();
    const made = aCrawlJobSpec();
    spec = {
      ...made,
      config: { seeds: [{ url: site.url }], scopeType: 'prefix', behaviors: '', limit: 0 },
      windowsPerInstance: 8,
      storage: { ...made.storage, s3: stage.s3 },
    };
    pages = [];
    files = [];
  }, 60_000);

  afterEach(async () => {
    await stage.driver.remove(spec.jobId);
    await stage.close();
    site.server.close();
  }, 60_000);

  /** Ticks as the supervisor does, taking the events, until the observation is as wanted. */
  function until(check: (seen: JobObservation) => boolean, wanted = 1): Promise<JobObservation> {
    return eventually(
      async () => {
        await stage.driver.ensure(spec, wanted, {});
        const seen = await stage.driver.observe(spec.jobId);
        const batch = await stage.driver.drain(spec.jobId, 100);
        for (const event of batch.events) {
          if (event.type === 'page') pages.push(event.page);
          if (event.type === 'file') files.push(event);
        }
        await batch.ack();
        if (batch.events.length > 0 || !check(seen)) throw new Error(`not yet: ${JSON.stringify(seen)}`);
        return seen;
      },
      120_000,
      200,
    );
  }

  const over =
    (status: string) =>
    ({ instances: [first] }: JobObservation): boolean =>
      first?.phase === 'exited' && first.status === status;

  async function expectWhole(): Promise<void> {
    expect(pages.map(({ url }) => url).sort()).toEqual([...new Set(pages.map(({ url }) => url))].sort());
    expect(pages).toHaveLength(PAGES);
    const folder = await mkdtemp(join(tmpdir(), 'container-crawl-'));
    const listed: unknown[] = [];
    for (const { filename, size } of files) {
      const path = join(folder, filename.split('/').at(-1) ?? '');
      const bytes = stage.store.objects.get(filename) ?? Buffer.alloc(0);
      expect(bytes.length).toBe(size);
      await writeFile(path, bytes);
      expect(await faultsOf(path)).toEqual([]);
      listed.push(...new WaczFile(path).pages.map(({ id }) => id));
    }
    await rm(folder, { recursive: true });
    expect(listed.sort()).toEqual(pages.map(({ id }) => id).sort());
  }

  it('crawls a site into a WACZ that independent tools find no fault in', async () => {
    const seen = await until(over('done'));
    expect(seen).toMatchObject({ found: PAGES, done: PAGES, instances: [{ exitCode: 0 }] });
    expect(files).toHaveLength(1);
    await expectWhole();
  }, 180_000);

  it('pauses and goes on in another container', async () => {
    await until(({ done }) => done >= 2);
    expect(await stage.driver.pause(spec.jobId)).toBe('ok');
    await until(over('interrupted'));
    await until(over('interrupted'), 0);
    expect(await stage.names()).toEqual([]);
    expect(await stage.driver.clearPause(spec.jobId)).toBe('ok');
    await until(over('done'));
    expect(files).toHaveLength(2);
    await expectWhole();
  }, 240_000);
});
