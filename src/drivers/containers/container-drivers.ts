import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import type { Clock } from '../../common/clock/clock.js';
import type { AppConfig } from '../../config/app-config.js';
import { ContainerDriver } from './container-driver.js';
import type { ContainerRuntime } from './container-runtime.js';
import { NoBrowserDriver } from './no-browser-driver.js';

/** A call to a Redis that is away fails soon: the supervisor asks again with its next tick. */
const REDIS_RETRY_MS = 1_000;

/** The drivers over one engine, and the connection to Redis that they share. */
export class ContainerDrivers {
  readonly crawls: ContainerDriver;
  readonly browsers: NoBrowserDriver;
  private readonly redis: Redis;

  constructor(
    private readonly runtime: ContainerRuntime,
    { redisUrl, extraArgs, signer }: AppConfig['crawls'],
    clock: Clock,
  ) {
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
    const settings = { redisUrl: url, extraArgs, signer: signer && { url: signer.url, token: signer.token.reveal() } };
    this.crawls = new ContainerDriver(runtime, this.redis, settings, clock);
    this.browsers = new NoBrowserDriver(runtime.kind);
  }

  close(): void {
    this.redis.disconnect();
    this.runtime.close();
  }
}
