import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { Frontier } from '../../crawler/crawl/frontier.js';
import {
  isLastTry,
  isWornOut,
  MAX_INTERRUPTIONS,
  QueueLost,
  type FoundPage,
  type PageQueue,
} from '../../crawler/crawl/page-queue.js';
import { SharedFrontier } from '../../crawler/crawl/shared-frontier.js';
import { restoreState, StateLog, type QueuedPage } from '../../crawler/crawl/state-log.js';
import { runKeys } from '../../formats/redis-keys/run-keys.js';
import { eventually } from '../support/eventually.js';
import { RedisServer } from '../support/redis-server.js';

const server = await RedisServer.start();
const root = mkdtempSync(join(tmpdir(), 'page-queue-'));
afterAll(async () => {
  await server?.stop();
  rmSync(root, { recursive: true, force: true });
});

/** Longer than a busy machine stalls. */
const LOCK_MS = 60_000;
/** Of instances whose locks end in the test: they look at them every two seconds. */
const SHORT_LOCK_MS = 12_000;
let made = 0;

const page = (url: string, over: Partial<FoundPage> = {}): FoundPage => ({
  url: `https://site.test/${url}`,
  depth: 1,
  hops: 0,
  seedId: 0,
  seed: false,
  allowHash: false,
  ...over,
});
const nameOf = ({ url }: QueuedPage): string => url.slice('https://site.test/'.length);

/** One process of an instance after the other, on the same directory. */
interface Instance {
  open(limit?: number): Promise<PageQueue>;
}

function ownInstance(): Instance {
  const dir = mkdtempSync(join(root, 'own-'));
  return {
    open: async (limit = 0) => {
      const restored = await restoreState(dir);
      const queue = new Frontier(await StateLog.open(dir), limit);
      queue.restore(restored, () => false);
      await queue.open();
      return queue;
    },
  };
}

function sharedInstance(jobId: string, index: number, lockMs = LOCK_MS, redirects: string[] = []): Instance {
  const dir = mkdtempSync(join(root, 'shared-'));
  return {
    open: async (limit = 0) => {
      const restored = await restoreState(dir);
      const shared = { redisUrl: server!.url, index };
      const onRedirect = (_seedId: number, url: string): void => void redirects.push(url);
      const options = { jobId, shared, limit, restored, lockMs, onRedirect };
      const queue = new SharedFrontier(options, await StateLog.open(dir), { warn: () => undefined });
      await queue.open();
      return queue;
    },
  };
}

const aJob = (): string => `job-${String((made += 1))}`;
const kinds: [name: string, make: () => Instance][] = [['of one process', ownInstance]];
// Without a Redis, `RedisServer.start` has said so loudly.
if (server) kinds.push(['shared by instances', () => sharedInstance(aJob(), 0)]);

describe.each(kinds)('the queue %s', (_name, make) => {
  let instance: Instance;
  let queue: PageQueue;

  const reopen = async (limit = 0): Promise<void> => {
    await queue.close();
    queue = await instance.open(limit);
  };
  const takeAll = async (): Promise<string[]> => {
    const names: string[] = [];
    for (let next = await queue.take(); next; next = await queue.take()) {
      names.push(nameOf(next));
      await queue.finish(next);
    }
    return names;
  };

  beforeEach(async () => {
    instance = make();
    queue = await instance.open();
    await queue.markSeeded();
  });
  afterEach(() => queue.close());

  it('takes by depth, hops last, each URL once', async () => {
    expect(await queue.add([page('hop', { hops: 1 }), page('deep', { depth: 2 }), page('near')])).toBe(3);
    expect(await queue.add([page('near'), page('near#part'), page('new')])).toBe(1);
    expect(queue.found).toBe(4);
    const order = await takeAll();
    expect(order.slice(0, 2).sort()).toEqual(['near', 'new']);
    expect(order.slice(2)).toEqual(['deep', 'hop']);
    expect([queue.done, queue.pending, queue.isExhausted]).toEqual([4, 0, true]);
  });

  it('is not exhausted while a page is in flight', async () => {
    await queue.add([page('a')]);
    const taken = (await queue.take())!;
    expect(await queue.take()).toBeNull();
    expect([queue.isExhausted, queue.busy]).toEqual([false, 1]);
    await queue.finish(taken);
    expect(await queue.take()).toBeNull();
    expect([queue.isExhausted, queue.busy]).toEqual([true, 0]);
  });

  it('ends at the page limit', async () => {
    await reopen(2);
    expect(await queue.add([page('a'), page('b'), page('c')])).toBe(2);
    expect([queue.isFull, queue.found]).toEqual([true, 2]);
    expect(await queue.add([page('d')])).toBe(0);
    expect(await takeAll()).toHaveLength(2);
  });

  it('tries a page again, behind the others, and then no more', async () => {
    await queue.add([page('bad'), page('deep', { depth: 5 })]);
    for (const isLast of [false, false, true]) {
      let taken = (await queue.take())!;
      if (nameOf(taken) === 'deep') {
        await queue.finish(taken);
        taken = (await queue.take())!;
      }
      expect(isLastTry(taken)).toBe(isLast);
      expect(await queue.retry(taken)).toBe(!isLast);
    }
    expect(await queue.take()).toBeNull();
    expect([queue.done, queue.failed, queue.isExhausted]).toEqual([2, 1, true]);
  });

  it('holds a page back for a while', async () => {
    await queue.add([page('long')]);
    await queue.retry((await queue.take())!, { delayMs: 600_000, most: 4 });
    expect(await queue.take()).toBeNull();
    expect(queue.isExhausted).toBe(false);
    await queue.add([page('short')]);
    await queue.retry((await queue.take())!, { delayMs: 200, most: 4 });
    expect(queue.nextTryMs()).toBeLessThanOrEqual(210);
    await eventually(async () => {
      const { url, retries } = (await queue.take()) ?? {};
      expect({ url, retries }).toEqual({ url: 'https://site.test/short', retries: 1 });
    });
    expect(await queue.take()).toBeNull();
  });

  it('drops what is excluded, and counts it as never found', async () => {
    await queue.add([page('keep'), page('out/1'), page('out/2'), page('flight')]);
    expect(await queue.drop((url) => url.includes('/out/'))).toBe(2);
    expect(queue.found).toBe(2);
    await queue.abandon((await queue.take())!);
    expect(queue.found).toBe(1);
    expect(await queue.add([page('out/1')])).toBe(0);
    expect(await takeAll()).toHaveLength(1);
  });

  it('is the same after a restart; what was in flight is tried once more', async () => {
    await queue.add([
      page('done'),
      page('flight', { depth: 2 }),
      page('given', { depth: 3 }),
      page('rest', { depth: 4 }),
    ]);
    await queue.finish((await queue.take())!);
    await queue.take();
    await queue.giveBack((await queue.take())!);
    await reopen();
    expect(await queue.isSeeded()).toBe(true);
    expect(await queue.add([page('done')])).toBe(0);
    const taken = [(await queue.take())!, (await queue.take())!, (await queue.take())!];
    expect(taken.map((each) => [nameOf(each), each.interruptions]).sort()).toEqual([
      ['flight', 1],
      ['given', 0],
      ['rest', 0],
    ]);
    expect(nameOf(taken.at(-1)!)).toBe('flight');
    expect(queue.done).toBe(1);
  });

  it('never loses a page: one that its processes die of comes again until somebody writes that it failed', async () => {
    await queue.add([page('deadly')]);
    await queue.retry((await queue.take())!);
    await queue.retry((await queue.take())!);
    for (let deaths = 0; deaths <= MAX_INTERRUPTIONS; deaths++) {
      const taken = await queue.take();
      expect(taken).toMatchObject({ retries: 2, interruptions: deaths });
      expect(isWornOut(taken!)).toBe(false);
      await reopen();
    }
    for (const deaths of [1, 2]) {
      const taken = (await queue.take())!;
      expect([isWornOut(taken), isLastTry(taken), taken.interruptions]).toEqual([
        true,
        true,
        MAX_INTERRUPTIONS + deaths,
      ]);
      if (deaths === 1) await reopen();
      else expect(await queue.retry(taken)).toBe(false);
    }
    await reopen();
    expect(await queue.take()).toBeNull();
    expect([queue.done, queue.failed, queue.isExhausted]).toEqual([1, 1, true]);
  });

  it('keeps a page that was tried more often than others may be', async () => {
    await queue.add([page('limited')]);
    for (let tries = 0; tries < 4; tries++) {
      const taken = (await queue.take())!;
      expect(taken.retries).toBe(tries);
      await queue.retry(taken, { most: 4 });
    }
    await reopen();
    expect(await queue.take()).toMatchObject({ retries: 4 });
  });

  it('has its sitemaps read once', async () => {
    expect(await queue.sitemaps()).toBe('read');
    await reopen();
    expect(await queue.sitemaps()).toBe('read');
    await queue.sitemapsRead();
    expect(await queue.sitemaps()).toBe('done');
    await reopen();
    expect(await queue.sitemaps()).toBe('done');
  });
});

(server ? describe : describe.skip)('several instances with one queue', () => {
  let jobId: string;
  let a: PageQueue;
  let b: PageQueue;
  let learned: string[];
  let first: Instance;

  beforeEach(async () => {
    jobId = aJob();
    learned = [];
    await start(LOCK_MS);
  });
  afterEach(async () => {
    await a.close();
    await b.close();
  });

  async function start(lockMs: number): Promise<void> {
    first = sharedInstance(jobId, 0, lockMs);
    a = await first.open();
    b = await sharedInstance(jobId, 1, lockMs, learned).open();
    await a.markSeeded();
  }

  async function startWithShortLocks(): Promise<void> {
    await Promise.all([a.close(), b.close()]);
    await start(SHORT_LOCK_MS);
  }

  it('never have the same page, however they race', async () => {
    const pages = Array.from({ length: 300 }, (_, i) => page(String(i)));
    const added = await Promise.all([a.add(pages), b.add(pages)]);
    expect(added[0] + added[1]).toBe(300);
    const work = async (queue: PageQueue): Promise<string[]> => {
      const mine: string[] = [];
      for (let next = await queue.take(); next; next = await queue.take()) {
        mine.push(nameOf(next));
        await queue.finish(next);
      }
      return mine;
    };
    const all = (await Promise.all([work(a), work(a), work(b), work(b)])).flat();
    expect(all).toHaveLength(300);
    expect(new Set(all).size).toBe(300);
    expect([await a.take(), await b.take()]).toEqual([null, null]);
    expect([a.isExhausted, b.isExhausted]).toEqual([true, true]);
  });

  it('wait for the other: its page may bring more', async () => {
    await a.add([page('start')]);
    const start = (await a.take())!;
    expect(await b.take()).toBeNull();
    expect(b.isExhausted).toBe(false);
    await a.add([page('found')]);
    await a.finish(start);
    expect(nameOf((await b.take())!)).toBe('found');
  });

  /** Ends a lock that lasts, as the time that it is for would. */
  async function lockEnds(key: string): Promise<void> {
    const client = new Redis(server!.url);
    try {
      expect(await client.pttl(key)).toBeGreaterThan(0);
      await client.del(key);
    } finally {
      client.disconnect();
    }
  }

  it('get the pages of one that died, and it can finish them no more', async () => {
    await startWithShortLocks();
    await a.add([page('left')]);
    const left = (await a.take())!;
    await a.close();
    await lockEnds(`${runKeys(jobId).inProgress}:${left.url}`);
    let again: QueuedPage | null = null;
    await eventually(async () => {
      again = await b.take();
      expect(again).toMatchObject({ url: left.url, pageId: left.pageId, interruptions: 1 });
    });
    a = await first.open();
    expect(await a.owns(left)).toBe(false);
    await a.finish(left);
    expect(await b.owns(again!)).toBe(true);
    await b.finish(again!);
    expect(b.done).toBe(1);
  });

  it('keep the page that they work on, however long it takes', async () => {
    await startWithShortLocks();
    await b.close();
    await a.add([page('long')]);
    const long = (await a.take())!;
    const lock = `${runKeys(jobId).inProgress}:${long.url}`;
    const client = new Redis(server!.url);
    try {
      // As after a Redis that was away for longer than locks last.
      await client.del(lock);
      await eventually(async () => expect(await client.get(lock)).not.toBeNull());
    } finally {
      client.disconnect();
    }
    expect(await a.owns(long)).toBe(true);
  });

  it('read the sitemaps one after the other, not twice', async () => {
    await startWithShortLocks();
    expect(await a.sitemaps()).toBe('read');
    expect(await b.sitemaps()).toBe('wait');
    await a.close();
    await lockEnds(runKeys(jobId).sitemapReader);
    // Its reader is gone: the next one reads them.
    expect(await b.sitemaps()).toBe('read');
    await b.sitemapsRead();
    a = await first.open();
    expect(await a.sitemaps()).toBe('done');
  });

  it('learn of each other where seeds were redirected to', async () => {
    await a.keepRedirect(0, 'https://elsewhere.test/');
    await b.take();
    await b.take();
    expect(learned).toEqual(['https://elsewhere.test/']);
  });

  it('stop when Redis has lost the queue, which is not an end of the crawl', async () => {
    await a.add([page('x')]);
    const client = new Redis(server!.url);
    const keys = await client.keys(`${jobId}:*`);
    await client.del(...keys);
    client.disconnect();
    await expect(a.take()).rejects.toThrow(QueueLost);
    expect(await a.isSeeded()).toBe(false);
  });
});
