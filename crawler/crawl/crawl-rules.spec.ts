import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AdBlock } from '../capture/ad-block.js';
import { treatment } from '../capture/rules.js';
import { parseRange } from '../qa/replay-server.js';
import { originalUrl } from '../qa/replay-url.js';
import { textMatch } from '../qa/compare.js';
import { Frontier } from './frontier.js';
import type { FoundPage } from './page-queue.js';
import { RateLimiter } from './rate-limit.js';
import { restoreState, StateLog } from './state-log.js';

describe('how a response is captured', () => {
  const base = { url: 'https://a.test/x', method: 'GET', resourceType: 'Fetch', status: 200, headers: [] };
  it.each([
    [{}, 'body'],
    [{ status: 304 }, 'pass'],
    [{ method: 'OPTIONS' }, 'pass'],
    [{ url: 'data:text/plain,x' }, 'pass'],
    [{ headers: [['Content-Type', 'text/event-stream; charset=utf-8']] as const }, 'stream'],
    [{ status: 302 }, 'empty'],
    [{ status: 204 }, 'empty'],
    [{ headers: [['content-length', '9000000']] as const }, 'direct'],
    [{ method: 'POST', headers: [['content-length', '9000000']] as const }, 'body'],
    [{ status: 206, headers: [['content-range', 'bytes 0-99/100']] as const }, 'whole-range'],
    [{ status: 206, headers: [['content-range', 'bytes 50-99/100']] as const }, 'direct'],
    [{ status: 206 }, 'direct'],
  ])('%j: %s', (given, expected) => expect(treatment({ ...base, ...given })).toBe(expected));
});

describe('blocked ads', () => {
  it.each([
    ['https://doubleclick.net/', true],
    ['https://securepubads.g.doubleclick.net/tag.js', true],
    ['https://notdoubleclick.net/', false],
    ['https://doubleclick.net.example/', false],
    ['https://a.test/doubleclick.net', false],
    ['no address', false],
  ])('%s: %s', (url, expected) => expect(new AdBlock().blocks(url)).toBe(expected));
});

describe('rate limits', () => {
  it('are counted in a row, and only what says so is one', () => {
    const limiter = new RateLimiter(2, () => 1_000);
    const judge = (status: number, retryAfterMs?: number) => limiter.judge({ host: 'a.test', status, retryAfterMs });
    expect([judge(403), judge(503), judge(200)]).toEqual([null, null, null]);
    expect(judge(429)).toBe(300_000);
    expect(limiter.isLimited).toBe(false);
    expect(judge(503, 5_000)).toBe(5_000);
    expect(limiter.isLimited).toBe(true);
    // So long it is believed: as long as the last answer asked for.
    expect(limiter.backoffMs).toBe(5_000);
    judge(200);
    expect(limiter.isLimited).toBe(false);
  });
});

describe('the queue', () => {
  const dir = mkdtempSync(join(tmpdir(), 'muniment-queue-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  const page = (url: string, over: Partial<FoundPage> = {}): FoundPage => ({
    url,
    depth: 1,
    hops: 0,
    seedId: 0,
    seed: false,
    allowHash: false,
    ...over,
  });

  it('takes by depth, hops last, and is the same after a restart', async () => {
    const log = await StateLog.open(dir);
    const frontier = new Frontier(log, 0);
    await frontier.add([
      page('https://a.test/2', { depth: 2 }),
      page('https://out.test/', { hops: 1 }),
      page('https://a.test/1'),
    ]);
    expect(
      await frontier.add([
        page('https://a.test/1#x'),
        page('https://a.test/?b=1&a=2'),
        page('https://a.test/?a=2&b=1'),
      ]),
    ).toBe(1);
    expect(frontier.list(0, 10)).toEqual([
      'https://a.test/1',
      'https://a.test/?b=1&a=2',
      'https://a.test/2',
      'https://out.test/',
    ]);
    const first = (await frontier.take())!;
    await frontier.finish(first);
    const inFlight = (await frontier.take())!;
    expect(await frontier.drop((url) => url.includes('out.test'))).toBe(1);
    await log.close();
    const state = await restoreState(dir);
    const again = new Frontier(await StateLog.open(dir), 0);
    again.restore(state, () => false);
    expect([again.found, again.done, again.pending]).toEqual([3, 1, 2]);
    expect(again.list(0, 10)).toEqual(['https://a.test/2', 'https://a.test/?b=1&a=2']);
    expect(state.pending.find(({ pageId }) => pageId === inFlight.pageId)?.interruptions).toBe(1);
    expect(await again.add([page('https://a.test/1')])).toBe(0);
  });

  it('queues no more than the limit', async () => {
    const frontier = new Frontier(await StateLog.open(mkdtempSync(join(dir, 'limit-'))), 2);
    expect(await frontier.add(['a', 'b', 'c'].map((name) => page(`https://a.test/${name}`)))).toBe(2);
    expect(frontier.isFull).toBe(true);
  });
});

describe('replay', () => {
  it.each([
    [undefined, null],
    ['bytes=0-9', { start: 0, end: 10 }],
    ['bytes=-500', { start: 0, end: 100 }],
    ['bytes=90-', { start: 90, end: 100 }],
    ['bytes=100-', 'bad'],
    ['bytes=0-5,7-9', null],
  ])('range %s of 100 bytes', (header, expected) => expect(parseRange(header, 100)).toEqual(expected));

  it('knows the original address of what it shows', () => {
    const origin = 'http://127.0.0.1:1';
    expect(originalUrl(origin, `${origin}/replay/w/source/:abc/20261121083742im_/https://a.test/x.png?y=/`)).toBe(
      'https://a.test/x.png?y=/',
    );
    expect(originalUrl(origin, `${origin}/replay/w/source/20261121083742mp_/https://a.test/`)).toBeNull();
    expect(originalUrl(origin, `${origin}/replay/static/wombat.js`)).toBeNull();
  });

  it('text is matched by edit distance', () => {
    expect([textMatch('', ''), textMatch('abcd', 'abcd'), textMatch('abcd', 'abxd'), textMatch('abcd', '')]).toEqual([
      1, 1, 0.75, 0,
    ]);
  });
});
