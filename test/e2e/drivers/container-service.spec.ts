import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { WebSocket } from 'ws';
import { builtCrawler, crawlerImage } from '../../support/build-crawler.js';
import { IS_REAL_ENGINE } from '../../support/container-engines.js';
import { CONTAINER_HOST } from '../../support/container-host.js';
import { DockerEngine } from '../../support/docker-engine.js';
import { eventually } from '../../support/eventually.js';
import { FakeKubelet } from '../../support/fake-kubelet.js';
import { KubeApiserver } from '../../support/kube-apiserver.js';
import { LOG_IN, startLoginSite } from '../../support/login-site.js';
import { containerNames, REAL_CRAWLER, realEngine } from '../../support/real-docker.js';
import { RedisServer } from '../../support/redis-server.js';
import { faultsOfArchive } from '../../support/replayed.js';
import { startS3Server, storageEntry } from '../../support/s3-server.js';
import { ServiceProcess } from '../../support/service-process.js';

const BOUND_MS = 120_000;

const redis = await RedisServer.start();
const s3 = await startS3Server();
const apiserver = redis && s3 && !IS_REAL_ENGINE ? await KubeApiserver.start() : null;
afterAll(async () => {
  await apiserver?.stop();
  await redis?.stop();
  await s3?.stop();
});

/** Where containers run, and how the service is told of it. */
interface Place {
  env: Record<string, string>;
  names(): Promise<string[]>;
  close(): Promise<void>;
}

const image = (): ReturnType<typeof crawlerImage> =>
  builtCrawler().then((entry) =>
    crawlerImage(entry, {
      CHROMIUM_PATH: process.env['CHROMIUM_PATH'] ?? '',
    }),
  );

async function inDocker(): Promise<Place> {
  const engine = await DockerEngine.start(await image());
  return {
    env: { CRAWL_DRIVER: 'docker', DOCKER_HOST: `unix://${engine.socketPath}` },
    names: () => Promise.resolve(engine.names()),
    close: () => engine.close(),
  };
}

async function inRealDocker(): Promise<Place> {
  const host = process.env['MUNIMENT_TEST_DOCKER'] ?? '';
  const docker = realEngine();
  return {
    env: { CRAWL_DRIVER: 'docker', DOCKER_HOST: host },
    names: () => containerNames(docker),
    close: () => Promise.resolve(),
  };
}

async function inKubernetes(): Promise<Place> {
  const namespace = await apiserver!.namespace();
  const admin = apiserver!.admin();
  const kubelet = await FakeKubelet.start(admin, { namespace, ...(await image()) });
  return {
    env: { CRAWL_DRIVER: 'kubernetes', CRAWLER_NAMESPACE: namespace, KUBECONFIG: apiserver!.kubeconfig },
    names: async () => {
      const { items } = await admin.core.listNamespacedPod({ namespace });
      return items.map(({ metadata }) => metadata?.name ?? '');
    },
    close: () => kubelet.close(),
  };
}

const places: [name: string, isHere: boolean, make: () => Promise<Place>][] = [
  ['docker', redis !== null && s3 !== null, IS_REAL_ENGINE ? inRealDocker : inDocker],
];
if (!IS_REAL_ENGINE) places.push(['kubernetes', apiserver !== null, inKubernetes]);

describe.each(places)('the service with CRAWL_DRIVER=%s and the real crawler', (_name, isHere, makePlace) => {
  // What is missing was said loudly by its `start`.
  if (!isHere) return it.skip('makes a profile, crawls with it, and checks the crawl', () => undefined);
  jest.setTimeout(400_000);
  let folder: string;
  let place: Place;
  let site: { server: Server; url: string };
  let service: ServiceProcess;
  let org: string;

  beforeAll(async () => {
    place = await makePlace();
    site = await startLoginSite();
    folder = await mkdtemp(join(tmpdir(), 'container-service-'));
    await writeFile(join(folder, 'storages.json'), JSON.stringify([storageEntry(s3!)]));
    await writeFile(join(folder, 'channels.json'), JSON.stringify([{ id: 'default', image: REAL_CRAWLER }]));
    service = await ServiceProcess.open({
      ...place.env,
      CRAWL_REDIS_URL: redis!.url,
      STORAGES_JSON: join(folder, 'storages.json'),
      CRAWLER_CHANNELS_JSON: join(folder, 'channels.json'),
      ALLOW_PRIVATE_ADDRESSES: 'storages',
      // What the containers may reach, they know from the service alone.
      CRAWL_ALLOWED_ADDRESSES: `127.0.0.0/8,::1,${CONTAINER_HOST}`,
      OPERATOR_RESYNC_SECONDS: '1',
    });
    org = `/orgs/${(await service.call('GET', '/orgs?pageSize=5')).items[0].id as string}`;
  });

  afterAll(async () => {
    await service?.close();
    await place?.close();
    site?.server.closeAllConnections();
    site?.server.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Asks as clients do: until the answer is another than `waiting_for_browser`. */
  function answered<T>(method: string, path: string, json?: unknown): Promise<T> {
    return eventually(async () => {
      const answer = await service.call<T & { detail?: string }>(method, path, json);
      if (answer.detail !== undefined) throw new Error(answer.detail);
      return answer;
    }, BOUND_MS);
  }

  /** Does in the view of the browser what a person does. */
  async function logIn(path: string): Promise<void> {
    const socket = new WebSocket(new URL(path, service.baseUrl.replace('http', 'ws')));
    const seen: { msg: string; url?: string }[] = [];
    socket.on('message', (text) => seen.push(JSON.parse((text as Buffer).toString()) as (typeof seen)[number]));
    await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
    for (const event of LOG_IN) socket.send(JSON.stringify(event));
    await eventually(() => expect(seen.at(-1)?.url).toBe(`${site.url}home`), BOUND_MS);
    expect(seen[0]?.msg).toBe('init');
    socket.close();
  }

  async function makeProfile(): Promise<string> {
    const { browserid } = await service.call<{ browserid: string }>('POST', `${org}/profiles/browser`, {
      url: site.url,
    });
    const { path } = await answered<{ path: string }>('GET', `${org}/profiles/browser/${browserid}`);
    await logIn(path);
    const asked = { browserid, name: 'Ada' };
    const { id } = await answered<{ id: string }>('POST', `${org}/profiles`, asked);
    await eventually(async () => expect(await place.names()).toEqual([]), BOUND_MS);
    expect(await service.call('GET', `${org}/profiles/${id}`)).toMatchObject({
      origins: [new URL(site.url).origin],
      resource: { filename: expect.stringMatching(new RegExp(`profiles/profile-${id}.tar.gz$`)) },
    });
    return id;
  }

  async function crawlWith(profileid: string): Promise<string> {
    const config = { seeds: [{ url: site.url }], scopeType: 'page', behaviors: '' };
    const { run_now_job: id } = await service.call<{ run_now_job: string }>('POST', `${org}/crawlconfigs/`, {
      name: 'Logged in',
      profileid,
      config,
      runNow: true,
    });
    await eventually(
      async () => expect((await service.call('GET', `${org}/crawls/${id}`)).state).toBe('complete'),
      BOUND_MS,
    );
    return id;
  }

  it('makes a profile, crawls with it, and checks the crawl', async () => {
    const crawlId = await crawlWith(await makeProfile());
    const { items: pages } = await service.call('GET', `${org}/crawls/${crawlId}/pages`);
    expect(pages).toMatchObject([{ title: 'Welcome ada' }]);
    const { resources } = await service.call('GET', `${org}/crawls/${crawlId}/replay.json`);
    const waczs: string[] = [];
    for (const { name, path } of resources as { name: string; path: string }[]) {
      waczs.push(join(folder, name));
      await writeFile(join(folder, name), await service.download(path));
    }
    expect(waczs).toHaveLength(1);
    expect(await faultsOfArchive(waczs)).toEqual([]);

    const { started } = await service.call<{ started: string }>('POST', `${org}/crawls/${crawlId}/qa/start`);
    await eventually(async () => {
      const [run] = await service.call<{ id: string; state: string }[]>('GET', `${org}/crawls/${crawlId}/qa`);
      expect(run).toMatchObject({ id: started, state: 'complete' });
    }, BOUND_MS);
    const { items: checked } = await service.call('GET', `${org}/crawls/${crawlId}/qa/${started}/pages`);
    expect(checked).toMatchObject([{ id: pages[0].id, qa: { screenshotMatch: expect.closeTo(1, 1), textMatch: 1 } }]);
    await eventually(async () => expect(await place.names()).toEqual([]), BOUND_MS);
  });
});
