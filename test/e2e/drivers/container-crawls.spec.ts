import type { JobObservation } from '../../../src/drivers/crawl-driver.types.js';
import { ContainerCrawl, over } from '../../support/container-crawl.js';
import {
  dockerStage,
  type ContainerStage,
  type DockerStage,
  type StageOptions,
} from '../../support/container-driver.js';
import { KubeApiserver } from '../../support/kube-apiserver.js';
import { kubernetesStage } from '../../support/kubernetes-driver.js';
import { RedisServer } from '../../support/redis-server.js';

const PAGES = 16;

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
  let crawl: ContainerCrawl<ContainerStage>;

  beforeEach(async () => {
    crawl = await ContainerCrawl.start(makeStage, { pages: PAGES, windowsPerInstance: 8 });
  });

  afterEach(() => crawl.close());

  it('crawls a site into a WACZ that independent tools find no fault in', async () => {
    const seen = await crawl.until(over('done'));
    expect(seen).toMatchObject({ found: PAGES, done: PAGES, instances: [{ exitCode: 0 }] });
    expect(crawl.files).toHaveLength(1);
    expect(crawl.pages).toHaveLength(PAGES);
    await crawl.expectWhole();
  });

  it('pauses and goes on in another container', async () => {
    const { driver } = crawl.stage;
    const { jobId } = crawl.spec;
    await crawl.until(({ done }) => done >= 2);
    expect(await driver.pause(jobId)).toBe('ok');
    await crawl.until(over('interrupted'));
    await crawl.until(over('interrupted'), 0);
    expect(await crawl.stage.names()).toEqual([]);
    expect(await driver.clearPause(jobId)).toBe('ok');
    await crawl.until(over('done'));
    expect(crawl.files).toHaveLength(2);
    expect(crawl.pages).toHaveLength(PAGES);
    await crawl.expectWhole();
  });
});

(redis ? describe : describe.skip)('two instances of the real crawler', () => {
  let crawl: ContainerCrawl<DockerStage>;
  const name = (index: number): string => `crawl-${crawl.spec.jobId}-${String(index)}`;
  const allDone = ({ instances }: JobObservation): boolean =>
    instances.length === 2 && instances.every(({ phase, status }) => phase === 'exited' && status === 'done');
  /** How many pages each instance has told of, by the end of its files' names. */
  const pagesOf = (index: number): number =>
    [...crawl.waczOfPages.values()].filter((wacz) => wacz.endsWith(`-${String(index)}.wacz`)).length;

  beforeEach(async () => {
    const make = (options: StageOptions): Promise<DockerStage> => dockerStage(redis!, options);
    crawl = await ContainerCrawl.start(make, { pages: 24, browserWindows: 2, windowsPerInstance: 1 });
  });

  afterEach(() => crawl.close());

  it('share a crawl: each page once, a WACZ each, also when one is killed amid it', async () => {
    // The second one comes while the first is at work, however long its browser takes to start.
    crawl.site.pageMs = 4_000;
    await crawl.until(({ done }) => done >= 2);
    await crawl.until(() => pagesOf(1) >= 1, 2);
    crawl.site.pageMs = 700;
    await crawl.until(() => pagesOf(1) >= 2, 2);
    crawl.stage.engine.kill(name(1));
    const seen = await crawl.until(allDone, 2);
    expect(seen).toMatchObject({ found: 24, done: 24 });
    expect([pagesOf(0) > 0, pagesOf(1) >= 2]).toEqual([true, true]);
    expect(crawl.files.map(({ filename }) => /-(\d)\.wacz$/.exec(filename)?.[1]).sort()).toEqual(['0', '1']);
    await crawl.expectWhole();
  });

  it('are scaled down amid a crawl: the one that goes packs what it has, the other does the rest', async () => {
    const { driver } = crawl.stage;
    crawl.site.pageMs = 4_000;
    await crawl.until(() => pagesOf(0) >= 1 && pagesOf(1) >= 1, 2);
    crawl.site.pageMs = 700;
    expect(await driver.requestStopInstance(crawl.spec.jobId, 1)).toBe('ok');
    await crawl.until(({ instances }) => instances[1]?.phase === 'exited' && instances[1].status === 'done', 2);
    await driver.releaseInstance(crawl.spec.jobId, 1);
    const seen = await crawl.until(over('done'));
    expect(seen).toMatchObject({ found: 24, done: 24 });
    expect(crawl.files).toHaveLength(2);
    await crawl.expectWhole();
  });
});
