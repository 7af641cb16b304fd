import { Redis } from 'ioredis';
import { SystemClock } from '../../src/common/clock/clock.js';
import { ContainerDriver } from '../../src/drivers/containers/container-driver.js';
import { ContainerBrowserDriver } from '../../src/drivers/containers/container-browser-driver.js';
import { OwnRedises, SharedRedis, type RunRedises } from '../../src/drivers/containers/run-redis.js';
import type { ServiceRuntime } from '../../src/drivers/containers/service-runtime.js';
import { dockerEngine } from '../../src/drivers/docker/docker-engine.js';
import { CRAWLER } from './crawl-job-spec.js';
import { crawlerImage } from './build-crawler.js';
import { DockerEngine } from './docker-engine.js';
import { MemoryObjectStore } from './memory-object-store.js';
import { MemoryS3 } from './memory-s3.js';
import type { RedisServer } from './redis-server.js';

/** A container driver over an engine that runs processes, with a Redis and an S3 server. */
export interface ContainerStage {
  driver: ContainerDriver;
  /** Profile browsers that end so long after the last call. */
  browsers(idleSeconds: number): ContainerBrowserDriver;
  redis: RedisServer;
  store: MemoryObjectStore;
  /** For `storage.s3` of a job. */
  s3: { endpointUrl: string; accessKey: string; secretKey: string; region: string };
  /** Of the containers or pods that there are. */
  names(): Promise<string[]>;
  close(): Promise<void>;
}

export interface DockerStage extends ContainerStage {
  engine: DockerEngine;
  /** Another driver over the same engine and Redis, as another API process has it. */
  another(): ContainerDriver;
}

export interface StageOptions {
  /** The crawler program in the containers; the scripted one when absent. */
  crawlerEntry?: string;
  env?: Record<string, string>;
  /** Each crawl has a Redis of its own, in a container. */
  ownRedis?: boolean;
}

const REDIS_IMAGE = 'redis:7.4';

export async function dockerStage(redis: RedisServer, options: StageOptions = {}): Promise<DockerStage> {
  const store = new MemoryObjectStore();
  const s3 = await MemoryS3.start(store);
  const engine = await DockerEngine.start({
    ...(await crawlerImage(options.crawlerEntry, options.env)),
    images: { [REDIS_IMAGE]: (command, address) => redis.asImage(command, address) },
  });
  const clients: Redis[] = [];
  const opened: RunRedises[] = [];
  const another = (): ContainerDriver => {
    const client = new Redis(redis.url, { maxRetriesPerRequest: 1, retryStrategy: () => 100 });
    client.on('error', () => undefined);
    clients.push(client);
    const { runtime, services } = dockerEngine(`unix://${engine.socketPath}`, { network: '' });
    const redises = options.ownRedis
      ? new OwnRedises(services, { image: REDIS_IMAGE, storageSize: '3Gi', indexDigests: 1_000 })
      : new SharedRedis({ redis: client, url: redis.url });
    opened.push(redises);
    return new ContainerDriver(runtime, redises, { crawler: CRAWLER }, new SystemClock());
  };
  const { services } = dockerEngine(`unix://${engine.socketPath}`, { network: '' });
  return {
    driver: another(),
    browsers: (idleSeconds) => browserDriver('docker', services, clients[0]!, idleSeconds),
    engine,
    redis,
    store,
    s3: { endpointUrl: s3.endpointUrl, accessKey: 'key', secretKey: 'secret', region: 'us-east-1' },
    another,
    names: () => Promise.resolve(engine.names()),
    close: async () => {
      for (const redises of opened) redises.close();
      await engine.close();
      for (const client of clients) client.disconnect();
      await s3.close();
    },
  };
}

export function browserDriver(
  kind: string,
  services: ServiceRuntime,
  client: Redis,
  idleSeconds: number,
): ContainerBrowserDriver {
  const surroundings = { logger: { warn: () => undefined }, clock: new SystemClock() };
  return new ContainerBrowserDriver(kind, services, client, { idleSeconds, crawler: CRAWLER }, surroundings);
}
