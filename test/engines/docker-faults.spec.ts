import { jest } from '@jest/globals';
import type Docker from 'dockerode';
import type { JobObservation } from '../../src/drivers/crawl-driver.types.js';
import { ContainerCrawl, over } from '../support/container-crawl.js';
import { aCrawlJobSpec } from '../support/crawl-job-spec.js';
import { tickUntil } from '../support/driven-job.js';
import { eventually } from '../support/eventually.js';
import {
  engineProcess,
  REAL_CRAWLER,
  realDockerStage,
  realEngine,
  type RealDockerStage,
  type RealStageOptions,
} from '../support/real-docker.js';
import { RedisServer } from '../support/redis-server.js';

const MEGABYTE = 1024 ** 2;
const BOUND_MS = 240_000;
/** Enough that a fault comes in the middle; each takes a second. */
const PAGES = 12;

const redis = await RedisServer.start();
if (!redis) throw new Error('Without a Redis there are no crawls in containers.');
const engine = await engineProcess();

describe('a crawl in a container of a real Docker engine', () => {
  jest.setTimeout(BOUND_MS);
  let crawl: ContainerCrawl<RealDockerStage>;
  let network: Docker.Network | undefined;

  afterEach(async () => {
    await crawl.close();
    expect(await crawl.stage.names()).toEqual([]);
    await network?.remove();
    network = undefined;
  });

  afterAll(() => redis.stop());

  async function start(options: RealStageOptions = {}, pages = PAGES): Promise<string> {
    const make = (given: RealStageOptions): Promise<RealDockerStage> =>
      realDockerStage(redis!, { ...given, ...options });
    crawl = await ContainerCrawl.start(make, { pages, image: REAL_CRAWLER });
    return `crawl-${crawl.spec.jobId}-0`;
  }

  /** A network of the test's own, from which this machine is reached as from the engine's default. */
  async function ownNetwork(): Promise<string> {
    network = await realEngine().createNetwork({ Name: 'muniment_test', CheckDuplicate: true });
    return 'muniment_test';
  }

  const atWork = ({ done, instances: [first] }: JobObservation): boolean => done >= 3 && first?.phase === 'running';
  const finished = (): Promise<JobObservation> => crawl.until(over('done'));
  const inspected = (name: string) => crawl.stage.docker.getContainer(name).inspect();

  it('completes: its pages are in a WACZ in the store, which replays', async () => {
    await start();
    const seen = await finished();
    expect(seen).toMatchObject({ found: PAGES, done: PAGES, instances: [{ exitCode: 0 }] });
    await crawl.expectWhole();
    expect(crawl.files).toHaveLength(1);
  });

  it('is limited as its plan says, and has no further rights', async () => {
    const name = await start({}, 40);
    await crawl.until(atWork);
    const { HostConfig, Config } = await inspected(name);
    expect(HostConfig).toMatchObject({
      Memory: (1024 + 768) * MEGABYTE,
      SecurityOpt: ['no-new-privileges'],
      Init: true,
    });
    expect(HostConfig.CpuQuota).toBe(150_000);
    expect(Config.User).toBe('crawler');
    await crawl.stage.driver.cancel(crawl.spec.jobId);
    await crawl.until(over('canceled'));
  });

  it('goes on after its container was killed', async () => {
    const name = await start();
    await crawl.until(atWork);
    await crawl.stage.docker.getContainer(name).kill({ signal: 'SIGKILL' });
    await finished();
    await crawl.expectWhole();
  });

  it('goes on after its container was removed with all that ran in it', async () => {
    const name = await start();
    await crawl.until(atWork);
    await crawl.stage.docker.getContainer(name).remove({ force: true });
    await finished();
    await crawl.expectWhole();
  });

  it('is seen to run out of memory at its real limit, and goes on when it has enough', async () => {
    // Less than the crawler and its browser need before the first page.
    const small = { memoryBytes: 64 * MEGABYTE, extraMemoryBytes: 0 };
    const name = await start({ crawler: small });
    const seen = await crawl.until(({ instances: [first] }) => first?.oom === true);
    expect(seen.instances[0]?.exitCode).not.toBe(0);
    const enough = await realDockerStage(redis!, {});
    await enough.docker.getContainer(name).remove({ force: true });
    await tickUntil(enough.driver, crawl.spec, ({ instances: [first] }) => first?.phase === 'running');
    await finished();
    await crawl.expectWhole();
    await enough.close();
  });

  it('goes on after the engine was restarted in the middle of it', async () => {
    await start();
    await crawl.until(atWork);
    await engine.down();
    expect(await crawl.stage.driver.observe(crawl.spec.jobId)).toMatchObject({ exists: true });
    await engine.up();
    await finished();
    await crawl.expectWhole();
  });

  it('goes on after the engine was killed in the middle of it', async () => {
    await start();
    await crawl.until(atWork);
    await engine.down({ kill: true });
    await engine.up();
    await finished();
    await crawl.expectWhole();
  });

  it('waits while its network is cut, and goes on when it is back', async () => {
    const name = await start({ network: await ownNetwork() });
    // What was on its way is lost, and given up after so long.
    Object.assign(crawl.spec.config, { pageLoadTimeout: 15 });
    await crawl.until(atWork);
    await network!.disconnect({ Container: name, Force: true });
    const seen = await crawl.stage.driver.observe(crawl.spec.jobId);
    expect(seen).toMatchObject({ exists: true, instances: [{ phase: 'running' }] });
    await network!.connect({ Container: name });
    await finished();
    expect(new Set(crawl.pages.map(({ url }) => url)).size).toBe(PAGES);
  });

  it('tells the user why its image cannot be had', async () => {
    await start();
    const { driver, s3 } = crawl.stage;
    const made = aCrawlJobSpec({ image: 'muniment-missing:1' });
    const missing = { ...made, storage: { ...made.storage, s3 } };
    await expect(driver.ensure(missing, 1, {})).rejects.toThrow(/muniment-missing/);
    await expect(driver.ensure({ ...missing, imagePullPolicy: 'Never' }, 1, {})).rejects.toThrow(/No such image/);
    await driver.remove(missing.jobId);
  });

  it('rests with its own Redis while paused, in a network where names are known, and leaves nothing', async () => {
    await start({ network: await ownNetwork(), ownRedis: true });
    const { driver, docker } = crawl.stage;
    const { jobId } = crawl.spec;
    await crawl.until(atWork);
    expect(await driver.pause(jobId)).toBe('ok');
    await crawl.until(over('interrupted'));
    const allExited = ({ instances }: JobObservation): boolean => instances.every(({ phase }) => phase === 'exited');
    await tickUntil(driver, crawl.spec, allExited, { instances: 0 });
    await driver.suspendStore(jobId);
    await eventually(async () => expect(await crawl.stage.names()).toEqual([]));
    await driver.clearPause(jobId);
    await finished();
    await crawl.expectWhole();
    await driver.remove(jobId);
    const { Volumes } = await docker.listVolumes();
    expect(Volumes.map(({ Name }) => Name).filter((name) => name.includes(jobId))).toEqual([]);
  });
});
