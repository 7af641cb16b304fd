import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { crawlerImage } from '../../support/build-crawler.js';
import { eventually } from '../../support/eventually.js';
import { FakeKubelet } from '../../support/fake-kubelet.js';
import { KubeApiserver } from '../../support/kube-apiserver.js';
import { RedisServer } from '../../support/redis-server.js';
import { startS3Server, storageEntry } from '../../support/s3-server.js';
import { ServiceProcess } from '../../support/service-process.js';

const BOUND_MS = 120_000;
const PAGES = 6;

const redis = await RedisServer.start();
const s3 = await startS3Server();
const apiserver = redis && s3 ? await KubeApiserver.start() : null;
afterAll(async () => {
  await apiserver?.stop();
  await redis?.stop();
  await s3?.stop();
});

/** What is missing was said loudly by its `start`. */
(apiserver ? describe : describe.skip)('the service with CRAWL_DRIVER=kubernetes', () => {
  jest.setTimeout(360_000);
  let folder: string;
  let kubelet: FakeKubelet;
  let namespace: string;
  let service: ServiceProcess;
  let oid: string;

  beforeAll(async () => {
    namespace = await apiserver!.namespace();
    kubelet = await FakeKubelet.start(apiserver!.admin(), {
      namespace,
      ...(await crawlerImage()),
    });
    folder = await mkdtemp(join(tmpdir(), 'kubernetes-service-'));
    const storages = join(folder, 'storages.json');
    await writeFile(storages, JSON.stringify([storageEntry(s3!)]));
    service = await ServiceProcess.open({
      CRAWL_DRIVER: 'kubernetes',
      CRAWLER_NAMESPACE: namespace,
      KUBECONFIG: apiserver!.kubeconfig,
      CRAWL_REDIS_URL: redis!.url,
      STORAGES_JSON: storages,
      NUM_BROWSERS: '8',
      ALLOW_PRIVATE_ADDRESSES: 'crawls,storages',
      OPERATOR_RESYNC_SECONDS: '1',
    });
    oid = (await service.call('GET', '/orgs?pageSize=5')).items[0].id as string;
  });

  afterAll(async () => {
    await service.close();
    await kubelet.close();
    await rm(folder, { recursive: true, force: true });
  });

  async function startCrawl(): Promise<string> {
    const seeds = [{ url: `https://site.example/?pages=${String(PAGES)}&ms=100` }];
    const body = { name: 'In pods', config: { seeds, scopeType: 'prefix' }, runNow: true };
    const { run_now_job: id } = await service.call<{ run_now_job: string }>('POST', `/orgs/${oid}/crawlconfigs/`, body);
    return id;
  }

  const crawl = (id: string): Promise<any> => service.call('GET', `/orgs/${oid}/crawls/${id}`);

  /** Everything of crawls in the namespace. */
  async function left(): Promise<string[]> {
    const { core } = apiserver!.admin();
    const lists = await Promise.all([
      core.listNamespacedPod({ namespace }),
      core.listNamespacedSecret({ namespace }),
      core.listNamespacedPersistentVolumeClaim({ namespace }),
    ]);
    return lists.flatMap(({ items }) => items.map(({ metadata }) => metadata?.name ?? ''));
  }

  it('crawls in pods, and leaves none behind', async () => {
    const id = await startCrawl();
    await eventually(async () => expect((await crawl(id)).state).toBe('complete'), BOUND_MS);
    expect(await crawl(id)).toMatchObject({ stats: { found: PAGES, done: PAGES }, fileCount: 1 });
    await eventually(async () => expect(await left()).toEqual([]), BOUND_MS);
  });

  it('tells the user what keeps a crawl from running, and takes a cancellation all the same', async () => {
    kubelet.forgetImages();
    const id = await startCrawl();
    await eventually(async () => {
      const { items } = await service.call('GET', `/orgs/${oid}/crawls/${id}/errors`);
      expect(items).toContainEqual(
        expect.objectContaining({
          context: 'k8s',
          message: expect.stringMatching(/cannot be loaded \(ImagePullBackOff\)/),
        }),
      );
    }, BOUND_MS);
    await service.call('POST', `/orgs/${oid}/crawls/${id}/cancel`);
    await eventually(async () => expect((await crawl(id)).state).toBe('canceled'), BOUND_MS);
    await eventually(async () => expect(await left()).toEqual([]), BOUND_MS);
  });
});
