import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import type { Clock } from '../../common/clock/clock.js';
import type { AppConfig } from '../../config/app-config.js';
import { BROWSER_IDLE_SECONDS } from '../browser-driver.js';
import { ContainerBrowserDriver } from './container-browser-driver.js';
import { ContainerDriver } from './container-driver.js';
import type { ContainerRuntime } from './container-runtime.js';
import { OwnRedises, SharedRedis, type RunRedises } from './run-redis.js';
import type { ServiceRuntime } from './service-runtime.js';

/** A call to a Redis that is away fails soon, because the supervisor asks again with its next tick. */
const REDIS_RETRY_MS = 1_000;

/** One engine: it runs the crawlers, and the services beside them. */
export interface Engine {
  readonly runtime: ContainerRuntime;
  readonly services: ServiceRuntime;
}

/** The drivers over one engine, and the connection to Redis that they share. */
export class ContainerDrivers {
  readonly crawls: ContainerDriver;
  readonly browsers: ContainerBrowserDriver;
  private readonly redis: Redis;
  private readonly redises: RunRedises;
  private readonly runtime: ContainerRuntime;

  constructor({ runtime, services }: Engine, config: AppConfig['crawls'], clock: Clock) {
    const { redisUrl, crawler, signer, ownRedis } = config;
    this.runtime = runtime;
    const url = redisUrl.reveal();
    this.redis = new Redis(url, { maxRetriesPerRequest: 1, retryStrategy: () => REDIS_RETRY_MS });
    const logger = new Logger('drivers');
    let isDown = false;
    this.redis.on('error', (error: Error) => {
      if (!isDown) logger.error({ event: 'redis_unavailable', message: error.message });
      isDown = true;
    });
    this.redis.on('ready', () => {
      if (isDown) logger.log({ event: 'redis_available' });
      isDown = false;
    });
    const signing = signer && { url: signer.url, token: signer.token.reveal() };
    this.redises = ownRedis
      ? new OwnRedises(services, { ...ownRedis, indexDigests: config.dedupeCopyDigests })
      : new SharedRedis({ redis: this.redis, url });
    this.crawls = new ContainerDriver(runtime, this.redises, { crawler, signer: signing }, clock);
    const settings = { idleSeconds: BROWSER_IDLE_SECONDS, crawler };
    this.browsers = new ContainerBrowserDriver(runtime.kind, services, this.redis, settings, { logger, clock });
  }

  open(): void {
    this.browsers.open();
  }

  close(): void {
    this.browsers.close();
    this.redises.close();
    this.redis.disconnect();
    this.runtime.close();
  }
}
