import { Redis } from 'ioredis';
import type { JobId } from '../crawl-driver.types.js';
import { IndexDatabases, type IndexDatabase } from './index-databases.js';
import { RunStore } from './run-store.js';
import { RUNS_KEY, storeKeys } from '../../../formats/redis-keys/run-keys.js';
import type { ServicePlan, ServiceRuntime, ServiceState } from './service-runtime.js';

/** A Redis that holds a run. */
export interface RunRedis {
  readonly redis: Redis;
  /** Address for the crawlers: `redis://host:port/db`. */
  readonly url: string;
}

/** The run's Redis exists, but does not run now. */
export class StoreDown extends Error {
  override name = 'StoreDown';
}

/** Finds the Redises of runs (crawling §14.3). */
export abstract class RunRedises {
  /**
   * Makes what is missing. A suspended Redis is started only with `wake`. The result is null while the Redis does not
   * run. One that also holds the copy of an index gets the memory for it.
   */
  abstract ensure(jobId: JobId, options: { wake: boolean; hasIndex: boolean }): Promise<RunRedis | null>;

  /** The place of the run's copy of an index. `later`: its Redis does not run. `none`: there is no place for it. */
  abstract index(jobId: JobId): Promise<IndexDatabase | 'later' | 'none'>;

  /** The run's Redis. Null when the run has none. @throws StoreDown */
  abstract of(jobId: JobId): Promise<Redis | null>;

  /** Stops the Redis until it is woken. Its data stays. */
  abstract suspend(jobId: JobId): Promise<void>;

  /** Deletes all that the Redis holds of a run whose crawlers are gone. */
  abstract remove(jobId: JobId): Promise<void>;

  /** Runs that are known here and perhaps not to the engine. */
  abstract known(): Promise<JobId[]>;

  /** Resolves when the Redis that all runs need answers. */
  ping(): Promise<void> {
    return Promise.resolve();
  }

  close(): void {
    return;
  }
}

/** One Redis serves all runs. */
export class SharedRedis extends RunRedises {
  private readonly indexes: IndexDatabases;

  constructor(private readonly shared: RunRedis) {
    super();
    this.indexes = new IndexDatabases(shared.redis);
  }

  override ensure(_jobId: JobId, _options: { wake: boolean; hasIndex: boolean }): Promise<RunRedis> {
    return Promise.resolve(this.shared);
  }

  override index(jobId: JobId): Promise<IndexDatabase | 'none'> {
    return this.indexes.open(jobId, this.shared.url);
  }

  override of(_jobId: JobId): Promise<Redis> {
    return Promise.resolve(this.shared.redis);
  }

  /** The shared Redis keeps running, because other runs use it. */
  override suspend(_jobId: JobId): Promise<void> {
    return Promise.resolve();
  }

  override async remove(jobId: JobId): Promise<void> {
    await this.indexes.release(jobId);
    await new RunStore(this.shared.redis, jobId).remove();
  }

  override known(): Promise<JobId[]> {
    return this.shared.redis.smembers(RUNS_KEY);
  }

  override async ping(): Promise<void> {
    await this.shared.redis.ping();
  }

  override close(): void {
    this.indexes.close();
  }
}

export interface OwnRedisSettings {
  readonly image: string;
  /** Size of its volume, as Kubernetes writes it. */
  readonly storageSize: string;
  /** Bodies that the copy of an index has at most. */
  readonly indexDigests: number;
}

const PORT = 6379;
const RETRY_MS = 250;
const START_MS = 10_000;
const DATA_FOLDER = '/data';
/** The user of the official Redis image. */
const REDIS_USER = 999;
const MIB = 1024 * 1024;
/** Memory of Redis for a body of an index: two hash fields of 64 digits, an item's id and a URL. */
const BYTES_OF_DIGEST = 600;

/** Each run has a Redis of its own, in a container beside its crawlers. Removing the run removes it. */
export class OwnRedises extends RunRedises {
  private readonly clients = new Map<JobId, { host: string; redis: Redis; indexes: IndexDatabases }>();

  constructor(
    private readonly services: ServiceRuntime,
    private readonly settings: OwnRedisSettings,
  ) {
    super();
  }

  override async ensure(
    jobId: JobId,
    { wake, hasIndex }: { wake: boolean; hasIndex: boolean },
  ): Promise<RunRedis | null> {
    const state = await this.services.find(nameOf(jobId));
    if (state?.phase === 'running') return this.running(jobId, state);
    if (state?.phase === 'waiting' || (state?.phase === 'stopped' && !wake)) return null;
    if (state?.phase === 'exited') await this.services.stop(state.name);
    await this.services.create(this.plan(jobId, hasIndex));
    const made = await this.services.find(nameOf(jobId));
    const found = made && this.running(jobId, made);
    if (found) await answers(found.redis);
    return found;
  }

  override async of(jobId: JobId): Promise<Redis | null> {
    const open = this.clients.get(jobId)?.redis;
    // While the connection is open, the engine need not be asked.
    if (open?.status === 'ready') return open;
    const state = await this.services.find(nameOf(jobId));
    if (!state) return null;
    const redis = this.client(jobId, state);
    if (!redis) throw new StoreDown(`The Redis of ${jobId} does not run`);
    return redis;
  }

  override async index(jobId: JobId): Promise<IndexDatabase | 'later' | 'none'> {
    // A crawl that waits for its index has no Redis yet. One that is suspended stays so.
    const found = await this.ensure(jobId, { wake: false, hasIndex: true });
    const indexes = this.clients.get(jobId)?.indexes;
    return found && indexes ? indexes.open(jobId, found.url) : 'later';
  }

  override async suspend(jobId: JobId): Promise<void> {
    const redis = await this.of(jobId).catch(() => null);
    // The pause is deleted, so that crawlers of a resumed run do not find it: nobody can lift the pause while the Redis
    // is stopped.
    await redis?.del(storeKeys(jobId).paused);
    this.disconnect(jobId);
    await this.services.stop(nameOf(jobId));
  }

  override async remove(jobId: JobId): Promise<void> {
    this.disconnect(jobId);
    await this.services.remove(nameOf(jobId));
  }

  override known(): Promise<JobId[]> {
    return Promise.resolve([]);
  }

  override close(): void {
    for (const jobId of [...this.clients.keys()]) this.disconnect(jobId);
  }

  private running(jobId: JobId, state: ServiceState): RunRedis | null {
    const redis = this.client(jobId, state);
    return redis && { redis, url: `redis://${state.innerHost ?? ''}:${String(PORT)}/0` };
  }

  private client(jobId: JobId, { host }: ServiceState): Redis | null {
    const known = this.clients.get(jobId);
    if (known && known.host === host) return known.redis;
    this.disconnect(jobId);
    if (host === null) return null;
    const redis = new Redis(`redis://${host}:${String(PORT)}/0`, {
      maxRetriesPerRequest: 1,
      retryStrategy: () => RETRY_MS,
    });
    // Callers get the error from their own requests.
    redis.on('error', () => undefined);
    this.clients.set(jobId, { host, redis, indexes: new IndexDatabases(redis) });
    return redis;
  }

  private disconnect(jobId: JobId): void {
    const known = this.clients.get(jobId);
    known?.redis.disconnect();
    known?.indexes.close();
    this.clients.delete(jobId);
  }

  private plan(jobId: JobId, hasIndex: boolean): ServicePlan {
    return {
      role: 'redis',
      name: nameOf(jobId),
      jobId,
      image: this.settings.image,
      imagePullPolicy: 'IfNotPresent',
      // Pages wait here until the API has stored them, so every write is on disk before it is answered.
      command: ['redis-server', '--dir', DATA_FOLDER, '--appendonly', 'yes', '--appendfsync', 'always'],
      env: {},
      cpuMillis: 10,
      memoryBytes: 200 * MIB + (hasIndex ? this.settings.indexDigests * BYTES_OF_DIGEST : 0),
      user: REDIS_USER,
      ports: { redis: PORT },
      data: { folder: DATA_FOLDER, size: this.settings.storageSize },
      restarts: true,
      notes: {},
    };
  }
}

const nameOf = (jobId: JobId): string => `redis-${jobId}`;

/** Waits until a Redis that was just made answers. If it takes longer, the next tick asks it again. */
async function answers(redis: Redis): Promise<void> {
  const end = performance.now() + START_MS;
  for (;;) {
    try {
      await redis.ping();
      return;
    } catch (error) {
      // A connection that this process ended fails at once, again and again.
      if (redis.status === 'end' || performance.now() > end) throw error;
    }
  }
}
