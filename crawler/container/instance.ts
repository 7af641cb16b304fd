import { access, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { fetchStored } from '../../formats/address/stored-file.js';
import { delay, errorText } from '../base/time.js';
import {
  type ASKED_ENDINGS,
  EXIT_CODES,
  EXIT_STATUS,
  type CrawlerStats,
  type ExitReason,
  type InstanceStatus,
  type OutputFile,
  type ToApi,
} from '../protocol.js';
import { Output } from '../crawl/output.js';
import { instanceKeys, runKeys, type InstanceKeys } from '../../formats/redis-keys/run-keys.js';
import { workFile, type ContainerStart } from './container-start.js';
import { CrawlerProcess, type CrawlerProgram } from './crawler-process.js';
import { JournalFeed } from './journal-feed.js';
import { RedisOriginals } from './redis-originals.js';
import { S3Files } from './s3-files.js';
import type { ScreencastServer } from './screencast-server.js';

/** How often flags are read and journals reported, ms. */
const TICK_MS = 250;
const UPLOAD_RETRY_MS = 5_000;
const INSIST_MS = 1_000;
/** Raises a counter only, because another instance may have counted further already. */
const RAISE = `if tonumber(redis.call('GET', KEYS[1]) or '0') < tonumber(ARGV[1]) then redis.call('SET', KEYS[1], ARGV[1]) end`;
/** Exit code after a second signal (spec crawling §14.8). */
const FORCED_EXIT = 13;

/**
 * One instance of a run in a container. It runs the crawler as a child, as the API does on one machine. It speaks the
 * official image's protocol for it: counters, pages, logs and flags in Redis, files to S3 (spec crawling §14.5, 14.6).
 */
export class Instance {
  private readonly redis: Redis;
  private readonly keys: InstanceKeys;
  private readonly s3: S3Files;
  private readonly journal: JournalFeed;
  private readonly originals: RedisOriginals | null;
  private child: CrawlerProcess | null = null;
  private outcome: { reason: ExitReason; code: number } | null = null;
  private asked: keyof typeof ASKED_ENDINGS | null = null;
  /** URLs of the stored files by name. */
  private readonly urls = new Map<string, string>();
  private readonly announced = new Set<string>();
  private retryUploadAt = 0;
  private signals = 0;
  private lastSign = Date.now();
  private counted = 0;
  /** True when this instance has reported a rate limit. It must not withdraw another instance's report. */
  private isRateLimited = false;
  /** The latest counters that were not reported yet. */
  private stats: CrawlerStats | null = null;
  windows: number;

  constructor(
    private readonly given: ContainerStart,
    private readonly program: CrawlerProgram,
    private readonly say: (line: string) => void,
  ) {
    this.keys = { ...runKeys(given.jobId), ...instanceKeys(given.uid) };
    // Unreported news stays in the journals, so nothing piles up in memory while Redis is away.
    this.redis = new Redis(given.redisUrl, { enableOfflineQueue: false, maxRetriesPerRequest: 0, lazyConnect: true });
    this.redis.on('error', () => undefined);
    this.s3 = new S3Files(given.s3);
    this.journal = new JournalFeed(this.redis, this.keys, workFile(given, 'events'));
    this.originals = given.dedupeUrl === undefined ? null : new RedisOriginals(given.dedupeUrl, say);
    this.windows = given.config.windows;
  }

  cast: ScreencastServer | null = null;

  /** Whether the health check passes: the crawler sent something recently. */
  get isHealthy(): boolean {
    return this.outcome !== null || Date.now() - this.lastSign < 120_000;
  }

  /** @returns the exit code of the container */
  async run(): Promise<number> {
    await this.connected();
    const status = (await this.redis.hget(this.keys.status, this.given.uid)) as InstanceStatus | null;
    // The work was done before this container was started again.
    if (status === 'done' || status === 'canceled' || status === 'failed') return this.leave(0);
    // A quality check has no queue to share, so the first instance does it alone.
    if (this.given.config.mode === 'qa' && this.given.index > 0) return this.end('done', 0);
    if (await this.redis.exists(this.keys.canceled)) return this.end('canceled', 0);
    await mkdir(this.given.config.dir, { recursive: true, mode: 0o700 });
    const packageOnly = await this.askedBefore();
    if (!packageOnly) await this.placeInputs();
    await this.start(packageOnly);
    while (!this.outcome) {
      await delay(TICK_MS);
      await this.tick();
    }
    return this.finish(this.outcome);
  }

  /** The first signal finishes the pages in flight. The second one ends the crawler at once. */
  signal(): void {
    this.signals += 1;
    if (this.signals === 1) return this.child?.send({ t: 'quit' });
    this.child?.kill();
    process.exit(FORCED_EXIT);
  }

  setCast(on: boolean): void {
    this.child?.send({ t: 'cast', on });
  }

  // ---- the child

  private async start(packageOnly: 'stopped' | 'paused' | null): Promise<void> {
    this.child = new CrawlerProcess(this.program, this.given.config.dir, {
      message: (message) => this.receive(message),
      exit: (code) => (this.outcome ??= { reason: 'error', code: code || 1 }),
      say: this.say,
    });
    const resume = await exists(workFile(this.given, 'state'));
    this.child.send({ t: 'start', config: this.given.config, resume, ...(packageOnly ? { packageOnly } : {}) });
  }

  private receive(message: ToApi): void {
    this.lastSign = Date.now();
    switch (message.t) {
      case 'state':
        // `finish` sets the last status after everything else is reported.
        if (!ENDED.has(message.status))
          this.tell((redis) => redis.hset(this.keys.status, this.given.uid, message.status));
        return;
      case 'stats':
        this.stats = message;
        this.windows = message.windows;
        return;
      case 'askOriginals':
        return void this.answer(message);
      case 'frame':
        return this.cast?.frame(message);
      case 'frameClosed':
        return this.cast?.closed(message.id);
      case 'exit': {
        const { reason, failReason } = message;
        if (failReason) this.tell((redis) => redis.set(this.keys.failReason, failReason));
        this.outcome = { reason, code: EXIT_CODES[reason] };
        return;
      }
      default:
        return;
    }
  }

  private async answer({ rid, digests }: Extract<ToApi, { t: 'askOriginals' }>): Promise<void> {
    this.child?.send({ t: 'originals', rid, found: (await this.originals?.find(digests)) ?? [] });
  }

  // ---- Redis

  /** Updates Redis. Counters come last, so that every counted page has been reported. */
  private async report(): Promise<void> {
    const { stats } = this;
    const finished = Number((await this.redis.get(this.keys.finished)) ?? 0);
    await this.journal.run();
    if (finished > this.counted) await this.redis.eval(RAISE, 1, this.keys.done, finished);
    this.counted = finished;
    if (!stats) return;
    const { found, done, pendingBytes, rateLimited, rateLimitMs = 0, failReason } = stats;
    const batch = this.redis
      .multi()
      .hset(this.keys.size, this.given.uid, pendingBytes)
      .hsetnx(this.keys.status, this.given.uid, 'running');
    // A crawl's pages are counted by its queue.
    if (this.given.config.mode === 'qa') batch.set(this.keys.done, done).set(this.keys.found, found);
    if (rateLimited) batch.set(this.keys.rateLimited, '1', 'EX', Math.max(1, Math.ceil(rateLimitMs / 1000)));
    else if (this.isRateLimited) batch.del(this.keys.rateLimited);
    if (failReason) batch.set(this.keys.failReason, failReason);
    await batch.exec();
    this.isRateLimited = rateLimited;
    if (this.stats === stats) this.stats = null;
  }

  /** Best effort: the next change or `finish` reports it again. */
  private tell(act: (redis: Redis) => Promise<unknown>): void {
    if (this.redis.status === 'ready') act(this.redis).catch(() => undefined);
  }

  private async connected(): Promise<void> {
    for (;;) {
      try {
        if (this.redis.status !== 'ready') await this.redis.connect();
        return;
      } catch {
        if (this.redis.status === 'ready') return;
        this.say('Redis cannot be reached, trying again.');
        await delay(2_000);
      }
    }
  }

  private async tick(): Promise<void> {
    await this.upload();
    if (this.redis.status !== 'ready') return;
    try {
      if (!(await this.redis.exists(this.keys.offsets))) this.journal.forget();
      await this.report();
      await this.obey();
    } catch (error) {
      this.say(`Redis: ${errorText(error)}`);
    }
  }

  /** Passes the supervisor's flags to the crawler. */
  private async obey(): Promise<void> {
    const { stopping, paused, canceled, stopOne, messages } = this.keys;
    const [stop, pause, cancel] = await this.redis.mget(stopping, paused, canceled);
    const one = await this.redis.hexists(stopOne, this.given.uid);
    if (cancel) this.ask('cancel');
    else if (stop || one) this.ask('stop');
    else if (pause) this.ask('pause');
    for (let text = await this.redis.lpop(messages); text !== null; text = await this.redis.lpop(messages)) {
      const { type, regex } = JSON.parse(text) as { type: string; regex: string };
      if (type === 'addExclusion' || type === 'removeExclusion')
        this.child?.send({ t: 'exclude', add: type === 'addExclusion', regex });
    }
  }

  private ask(what: 'cancel' | 'stop' | 'pause'): void {
    if (this.asked === what) return;
    this.asked = what;
    this.child?.send({ t: what });
  }

  /** Returns a stop or pause from before the start. In that case only existing data is packed. */
  private async askedBefore(): Promise<'stopped' | 'paused' | null> {
    const [stop, pause] = await this.redis.mget(this.keys.stopping, this.keys.paused);
    if (stop) return 'stopped';
    return pause ? 'paused' : null;
  }

  // ---- files

  private async placeInputs(): Promise<void> {
    const { profileKey, seedFileUrl, isSeedFileGuarded: isGuarded } = this.given;
    const profile = workFile(this.given, 'profileArchive');
    if (profileKey && !(await exists(profile))) await this.s3.get(profileKey, profile);
    const seeds = workFile(this.given, 'seedFile');
    if (!seedFileUrl || (await exists(seeds))) return;
    const response = await fetchStored(seedFileUrl, { signal: AbortSignal.timeout(60_000), isGuarded });
    if (!response.ok) throw new Error(`the seed file answered ${response.status}`);
    await writeFile(seeds, Buffer.from(await response.arrayBuffer()), { mode: 0o600 });
  }

  /** Stores finished files and announces each. Then tells the crawler that it may go on. */
  private async upload(): Promise<void> {
    if (this.asked === 'cancel' || Date.now() < this.retryUploadAt) return;
    const dir = workFile(this.given, 'outDir');
    const names = await readdir(dir).catch(() => [] as string[]);
    for (const name of names.filter((each) => each.endsWith('.json')).sort()) {
      const file = JSON.parse(await readFile(join(dir, name), 'utf8')) as OutputFile;
      if (this.announced.has(file.file) || !names.includes(file.file)) continue;
      try {
        await this.handOver(file, join(dir, file.file));
      } catch (error) {
        this.say(`${file.file} is not handed over yet: ${errorText(error)}`);
        this.retryUploadAt = Date.now() + UPLOAD_RETRY_MS;
        return;
      }
    }
  }

  private async handOver(file: OutputFile, path: string): Promise<void> {
    const isProfile = file.kind === 'profile';
    const name = isProfile ? (this.given.profileKey ?? file.file) : file.file;
    // If only the announcement to Redis failed, the file of up to 10 GB is not sent again.
    const sent = this.urls.get(file.file);
    const url = sent ?? (await this.s3.put(path, name, isProfile ? 'application/gzip' : 'application/wacz+zip'));
    this.urls.set(file.file, url);
    const { size, hash, modified } = file;
    if (isProfile) {
      await this.redis.set(
        this.keys.profileUploaded,
        JSON.stringify({ path: name, size, bytes: size, hash, modified }),
      );
    } else {
      const { jobId: id, userId: user } = this.given;
      const message = { id, user, filename: url, path: name, size, bytes: size, hash, completed: this.asked === null };
      await this.redis.rpush(this.given.doneKey, JSON.stringify(message));
    }
    this.announced.add(file.file);
    await rm(`${path}.json`, { force: true });
    await rm(path, { force: true });
    this.child?.send({ t: 'stored', file: file.file });
  }

  // ---- the end

  private async finish({ reason, code }: { reason: ExitReason; code: number }): Promise<number> {
    if (reason !== 'canceled') await this.insist(() => this.report());
    return this.end(EXIT_STATUS[reason], code);
  }

  private async end(status: InstanceStatus, code: number): Promise<number> {
    // An instance that is started again still has the files on disk that it did not upload.
    const isComingBack = status === 'interrupted' && code !== 0;
    const kept = isComingBack ? await new Output(this.given.config.dir).pendingBytes() : 0;
    await this.insist(() =>
      this.redis
        .multi()
        .hset(this.keys.status, this.given.uid, status)
        .hset(this.keys.size, this.given.uid, kept)
        .exec(),
    );
    return this.leave(code);
  }

  /** Repeats the instance's last report until it succeeds, however long Redis is away. */
  private async insist(tell: () => Promise<unknown>): Promise<void> {
    for (;;) {
      await this.connected();
      try {
        await tell();
        return;
      } catch (error) {
        this.say(`Redis: ${errorText(error)}`);
        await delay(INSIST_MS);
      }
    }
  }

  private leave(code: number): number {
    this.redis.disconnect();
    this.originals?.close();
    this.s3.close();
    return code;
  }
}

const ENDED: ReadonlySet<InstanceStatus> = new Set(['done', 'interrupted', 'failed', 'canceled']);

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
