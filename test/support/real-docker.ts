import Docker from 'dockerode';
import { Redis } from 'ioredis';
import { SystemClock } from '../../src/common/clock/clock.js';
import type { CrawlerSettings } from '../../src/config/app-config.js';
import { ContainerDriver } from '../../src/drivers/containers/container-driver.js';
import { OwnRedises, SharedRedis } from '../../src/drivers/containers/run-redis.js';
import { dockerEngine } from '../../src/drivers/docker/docker-engine.js';
import { loadScript } from '../start/load.js';
import { browserDriver, type ContainerStage, type StageOptions } from './container-driver.js';
import { CRAWLER } from './crawl-job-spec.js';
import { MemoryObjectStore } from './memory-object-store.js';
import { MemoryS3 } from './memory-s3.js';
import type { RedisServer } from './redis-server.js';

/** The images that `npm test -- engines` builds; aCrawlJobSpec names that of the scripted crawler. */
export const REAL_CRAWLER = 'muniment-crawler:latest';
export const REAL_API = 'muniment:latest';
const REDIS_IMAGE = 'redis:7.4';

export interface RealDockerStage extends ContainerStage {
  docker: Docker;
}

export interface RealStageOptions extends StageOptions {
  /** Network of the containers; the engine's default when absent. */
  network?: string;
  /** What crawlers are told, beside that they may reach this machine. */
  crawler?: Partial<CrawlerSettings>;
}

const address = (): string => process.env['MUNIMENT_TEST_DOCKER'] ?? '';

/** A client of the engine that the command has started. */
export const realEngine = (): Docker => new Docker({ socketPath: new URL(address()).pathname });

/** The container driver over the engine that the command has started. */
export async function realDockerStage(redis: RedisServer, options: RealStageOptions = {}): Promise<RealDockerStage> {
  const store = new MemoryObjectStore();
  const s3 = await MemoryS3.start(store);
  const client = new Redis(redis.url, { maxRetriesPerRequest: 1, retryStrategy: () => 100 });
  client.on('error', () => undefined);
  const { runtime, services } = dockerEngine(address(), { network: options.network ?? '' });
  const redises = options.ownRedis
    ? new OwnRedises(services, { image: REDIS_IMAGE, storageSize: '3Gi', indexDigests: 1_000 })
    : new SharedRedis({ redis: client, url: redis.url });
  const crawler = { ...CRAWLER, allowPrivate: true, ...options.crawler };
  const docker = realEngine();
  return {
    driver: new ContainerDriver(runtime, redises, { crawler }, new SystemClock()),
    browsers: (idleSeconds) => browserDriver('docker', services, client, idleSeconds),
    docker,
    redis,
    store,
    s3: { endpointUrl: s3.endpointUrl, accessKey: 'key', secretKey: 'secret', region: 'us-east-1' },
    names: () => containerNames(docker),
    close: async () => {
      redises.close();
      client.disconnect();
      await s3.close();
    },
  };
}

/** Containers of the drivers. A build that failed leaves others. */
export async function containerNames(docker: Docker): Promise<string[]> {
  const found = await docker.listContainers({ all: true });
  return found.map(({ Names: [name = ''] }) => name.slice(1)).filter((name) => /^(crawl|browser|redis)-/.test(name));
}

/** The engine's process, which tests end and start again. */
export interface EngineProcess {
  up(): Promise<void>;
  down(options?: { kill?: boolean }): Promise<void>;
}

export async function engineProcess(): Promise<EngineProcess> {
  const { DockerEngine } = await loadScript<{ DockerEngine: new (binary: string) => EngineProcess }>(
    'provision/docker.mjs',
  );
  return new DockerEngine(process.env['MUNIMENT_TEST_DOCKERD'] ?? '');
}
