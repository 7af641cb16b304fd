import type { Redis } from 'ioredis';
import { indexOf, instanceName, RUNS_KEY, storeKeys, type StoreKeys } from '../../../formats/redis-keys/run-keys.js';
import type {
  CrawlerPage,
  DriverEvent,
  EventBatch,
  JobId,
  JobObservation,
  QueueWindow,
} from '../crawl-driver.types.js';
import { ACK_SCRIPT, drainKeys, TAKE_SCRIPT } from './drain-script.js';
import type { Recreation } from './recreation.js';

import type { InstanceStatus } from '../../../crawler/protocol.js';

/** What the driver keeps of a run in Redis. */
export interface RunFacts {
  /** Prefix that file messages carry before the storage key. It ends in `/`. */
  readonly endpointUrl: string;
  readonly windowsPerInstance: number;
  readonly browserWindows: number;
}

/** The end of an instance whose container is gone. */
export interface EndedInstance {
  readonly workers: number;
  readonly startedAt: string;
  readonly exitedAt: string;
  readonly exitCode: number;
}

export interface RunFlags {
  readonly stopping: boolean;
  readonly paused: boolean;
  readonly canceled: boolean;
}

export type Counters = Pick<
  JobObservation,
  'found' | 'done' | 'rateLimited' | 'failReason' | 'requiredCrawls' | 'profileUpload'
>;

const ENDED_FIELD = 'ended:';
const CONFIG_FIELD = 'config:';
const RECREATED_FIELD = 'recreated:';

/** All that the driver keeps of a run. Maps are keyed by the instance's number. */
export interface StoredRun extends RunFacts {
  readonly ended: ReadonlyMap<number, EndedInstance>;
  readonly recreated: ReadonlyMap<number, Recreation>;
  /** The digest of the config that an instance's container has, as `keepConfig` stored it. */
  readonly configs: ReadonlyMap<number, string>;
}

/** One run in Redis: counters and messages of its crawlers, and flags for them (crawling §14.5, §14.6). */
export class RunStore {
  private readonly keys: StoreKeys;

  constructor(
    private readonly redis: Redis,
    private readonly jobId: JobId,
  ) {
    this.keys = storeKeys(jobId);
  }

  /** @returns false when Redis knew the run already */
  async open({ endpointUrl, windowsPerInstance, browserWindows }: RunFacts): Promise<boolean> {
    const isNew = await this.redis.hsetnx(this.keys.run, 'endpointUrl', endpointUrl);
    await this.redis
      .multi()
      .hset(this.keys.run, { endpointUrl, windowsPerInstance, browserWindows })
      .sadd(RUNS_KEY, this.jobId)
      .exec();
    return isNew === 1;
  }

  /** Deletes the queue and the counters. Files and pages that were not drained yet stay. */
  async forgetQueue(): Promise<void> {
    const { queue, held, inProgress, seen, excluded, extraSeeds, found, done, failed, seeded, redirects } = this.keys;
    const { status, size, finished, sitemapDone, sitemapReader } = this.keys;
    const counted = [queue, held, inProgress, seen, excluded, extraSeeds, found, done, finished, failed];
    await this.redis.del(...counted, seeded, redirects, status, size, sitemapDone, sitemapReader);
  }

  /** Null when Redis does not know the run. */
  async stored(): Promise<StoredRun | null> {
    const fields = await this.redis.hgetall(this.keys.run);
    if (fields['endpointUrl'] === undefined) return null;
    return {
      endpointUrl: fields['endpointUrl'],
      windowsPerInstance: Number(fields['windowsPerInstance']),
      browserWindows: Number(fields['browserWindows']),
      ended: indexed(fields, ENDED_FIELD, (text) => JSON.parse(text) as EndedInstance),
      recreated: indexed(fields, RECREATED_FIELD, (text) => JSON.parse(text) as Recreation),
      configs: indexed(fields, CONFIG_FIELD, (text) => text),
    };
  }

  async exists(): Promise<boolean> {
    return (await this.redis.exists(this.keys.run)) === 1;
  }

  // ---- what the crawlers report

  async counters(): Promise<Counters> {
    const { seen, extraSeeds, excluded, found, done } = this.keys;
    const { rateLimited, failReason, requiredCrawls, profileUploaded } = this.keys;
    const answers = await this.redis
      .pipeline()
      .scard(seen)
      .llen(extraSeeds)
      .scard(excluded)
      .mget(found, done, rateLimited, failReason, profileUploaded)
      .smembers(requiredCrawls)
      .exec();
    const [seenCount, extraCount, excludedCount, texts, crawls] = valuesOf(answers) as [
      number,
      number,
      number,
      (string | null)[],
      string[],
    ];
    const [foundText, doneText, limited, reason, profile] = texts;
    return {
      found: Number(foundText ?? Math.max(0, seenCount - extraCount - excludedCount)),
      done: Number(doneText ?? 0),
      rateLimited: limited !== null && limited !== undefined,
      requiredCrawls: crawls,
      ...(reason ? { failReason: reason } : {}),
      ...(profile ? { profileUpload: profileOf(profile) } : {}),
    };
  }

  /** Status and collected bytes of each instance that reported. */
  async reports(): Promise<Map<number, { status?: InstanceStatus; pendingBytes: number }>> {
    const [statuses, sizes] = await Promise.all([
      this.redis.hgetall(this.keys.status),
      this.redis.hgetall(this.keys.size),
    ]);
    const reports = new Map<number, { status?: InstanceStatus; pendingBytes: number }>();
    for (const name of new Set([...Object.keys(statuses), ...Object.keys(sizes)])) {
      const index = indexOf(this.jobId, name);
      if (index === null) continue;
      const status = statuses[name] as InstanceStatus | undefined;
      reports.set(index, { ...(status ? { status } : {}), pendingBytes: Number(sizes[name] ?? 0) });
    }
    return reports;
  }

  /** A window of the queue in crawl order: at most `count` URLs from `offset` on. */
  async queue(offset: number, count: number): Promise<QueueWindow> {
    const { queue } = this.keys;
    // One transaction reads both, because crawlers take pages meanwhile.
    const answers = await this.redis
      .multi()
      .zcard(queue)
      .zrangebyscore(queue, 0, '+inf', 'LIMIT', offset, count)
      .exec();
    const [total, members] = valuesOf(answers) as [number, string[]];
    return { total, urls: members.map((member) => (JSON.parse(member) as { url: string }).url) };
  }

  /** Takes a batch of events. The same batch comes again until it is acknowledged, whichever process asks. */
  async drain(max: number, endpointUrl: string): Promise<EventBatch> {
    const keys = drainKeys(this.keys);
    const taken = (await this.redis.eval(TAKE_SCRIPT, keys.length, ...keys, max)) as [string, ...string[][]];
    const [batch, errors = [], behaviors = [], pages = [], files = []] = taken;
    const events: DriverEvent[] = [
      ...errors.map((line) => ({ type: 'error' as const, line })),
      ...behaviors.map((line) => ({ type: 'behavior' as const, line })),
      ...pages.flatMap((text) => pageEvent(text)),
      ...files.flatMap((text) => fileEvent(text, endpointUrl)),
    ];
    return {
      events,
      ack: async () => void (await this.redis.eval(ACK_SCRIPT, keys.length, ...keys, batch)),
    };
  }

  // ---- what the crawlers are told

  async flags(): Promise<RunFlags> {
    const { stopping, paused, canceled } = this.keys;
    const [stop, pause, cancel] = await this.redis.mget(stopping, paused, canceled);
    return { stopping: stop !== null, paused: pause !== null, canceled: cancel !== null };
  }

  async raise(flag: 'stopping' | 'paused' | 'canceled'): Promise<void> {
    await this.redis.setnx(this.keys[flag], '1');
  }

  async clearPause(): Promise<void> {
    await this.redis.del(this.keys.paused);
  }

  async stopOne(index: number): Promise<void> {
    await this.redis.hset(this.keys.stopOne, instanceName(this.jobId, index), '1');
  }

  /** @param indexes instances that exist: each reads its own list */
  async tellExclusion(type: 'addExclusion' | 'removeExclusion', regex: string, indexes: number[]): Promise<void> {
    const batch = this.redis.multi();
    for (const index of indexes) batch.rpush(this.keys.messages(index), JSON.stringify({ type, regex }));
    await batch.exec();
  }

  // ---- instances

  /** Forgets what an instance reported and was told. */
  async release(index: number): Promise<void> {
    const name = instanceName(this.jobId, index);
    await this.redis
      .multi()
      .hdel(this.keys.status, name)
      .hdel(this.keys.size, name)
      .hdel(this.keys.stopOne, name)
      .hdel(this.keys.run, `${ENDED_FIELD}${String(index)}`)
      .del(this.keys.messages(index))
      .exec();
  }

  async keepEnded(index: number, ended: EndedInstance): Promise<void> {
    await this.redis.hset(this.keys.run, `${ENDED_FIELD}${String(index)}`, JSON.stringify(ended));
  }

  /** Deletes the last status of an instance that starts anew. */
  async forgetEnded(index: number): Promise<void> {
    await this.redis
      .multi()
      .hdel(this.keys.run, `${ENDED_FIELD}${String(index)}`)
      .hdel(this.keys.status, instanceName(this.jobId, index))
      .exec();
  }

  async keepRecreation(index: number, recreation: Recreation): Promise<void> {
    await this.redis.hset(this.keys.run, `${RECREATED_FIELD}${String(index)}`, JSON.stringify(recreation));
  }

  async keepConfig(index: number, digest: string): Promise<void> {
    await this.redis.hset(this.keys.run, `${CONFIG_FIELD}${String(index)}`, digest);
  }

  /** Whether this run of the instance is asked to stop for the first time. */
  async isFirstStop(index: number, startedAt: Date): Promise<boolean> {
    const field = `stop:${String(index)}:${startedAt.toISOString()}`;
    return (await this.redis.hsetnx(this.keys.run, field, '1')) === 1;
  }

  /**
   * Puts the reason why an instance does not run into the user's error log. It is stored once while it does not change.
   */
  async sayTrouble(index: number, message: string, at: Date): Promise<void> {
    const field = `trouble:${String(index)}`;
    if ((await this.redis.hget(this.keys.run, field)) === message) return;
    const line = {
      timestamp: at.toISOString(),
      logLevel: 'error',
      context: 'k8s',
      message,
      details: { instance: instanceName(this.jobId, index) },
    };
    await this.redis.multi().hset(this.keys.run, field, message).lpush(this.keys.errors, JSON.stringify(line)).exec();
  }

  /** Deletes all keys of the run, whichever process wrote them. */
  async remove(): Promise<void> {
    for (const pattern of [`${this.jobId}:*`, `crawl-${this.jobId}-*`]) {
      for await (const keys of this.redis.scanStream({ match: pattern, count: 1000 }) as AsyncIterable<string[]>) {
        if (keys.length > 0) await this.redis.unlink(...keys);
      }
    }
    await this.redis.srem(RUNS_KEY, this.jobId);
  }
}

/** The values of the fields that have this prefix, keyed by the instance's number after it. */
function indexed<T>(
  fields: Readonly<Record<string, string>>,
  prefix: string,
  read: (text: string) => T,
): Map<number, T> {
  const found = Object.entries(fields).filter(([name]) => name.startsWith(prefix));
  return new Map(found.map(([name, text]) => [Number(name.slice(prefix.length)), read(text)]));
}

function valuesOf(answers: [Error | null, unknown][] | null): unknown[] {
  return (answers ?? []).map(([error, value]) => {
    if (error) throw error;
    return value;
  });
}

function profileOf(text: string): { size: number; hash: string; modified: string } {
  const { size, hash, modified } = JSON.parse(text) as { size: number; hash: string; modified: string };
  return { size, hash, modified };
}

/**
 * Parses a message. Crawled content is hostile and messages may be cut, so a message that does not parse is skipped.
 */
function parsed<T>(text: string): T | null {
  try {
    return JSON.parse(text) as T;
  } catch {
    return null;
  }
}

function pageEvent(text: string): DriverEvent[] {
  const page = parsed<CrawlerPage>(text);
  return page ? [{ type: 'page', page }] : [];
}

function fileEvent(text: string, endpointUrl: string): DriverEvent[] {
  const message = parsed<{ filename?: string; size: number; hash: string; completed?: boolean }>(text);
  if (!message?.filename) return [];
  const { filename, size, hash, completed } = message;
  const key = filename.startsWith(endpointUrl) ? filename.slice(endpointUrl.length) : filename;
  return [{ type: 'file', filename: key, size, hash, ...(completed === undefined ? {} : { completed }) }];
}
