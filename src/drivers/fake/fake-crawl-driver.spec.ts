import { inflateRawSync, gunzipSync } from 'node:zlib';
import { aCrawlJobSpec } from '../../../test/support/crawl-job-spec.js';
import { MemoryObjectStore } from '../../../test/support/memory-object-store.js';
import type { DriverEvent } from '../crawl-driver.types.js';
import { FakeCrawlDriver } from './fake-crawl-driver.js';

describe('the fake crawl driver', () => {
  let nowMs = Date.UTC(2026, 10, 21);
  let store: MemoryObjectStore;
  let driver: FakeCrawlDriver;

  beforeEach(() => {
    store = new MemoryObjectStore();
    driver = new FakeCrawlDriver(() => Promise.resolve(store), { nowMs: () => nowMs });
  });

  async function drained(id: string): Promise<DriverEvent[]> {
    const batch = await driver.drain(id, 100);
    await batch.ack();
    return batch.events;
  }

  it('visits pages as the clock moves, window by window', async () => {
    const spec = aCrawlJobSpec({ browserWindows: 2 });
    driver.script({ pagesPerSeed: 4, pageSeconds: 10 });
    await driver.ensure(spec, 1, {});
    expect((await driver.observe(spec.jobId)).done).toBe(0);
    nowMs += 10_000;
    expect(await driver.observe(spec.jobId)).toMatchObject({
      found: 4,
      done: 2,
      instances: [{ phase: 'running', status: 'running', workers: 2 }],
    });
    expect((await drained(spec.jobId)).map(({ type }) => type)).toEqual(['page', 'page']);
  });

  it('ends at the moment its work was done, however late it is asked', async () => {
    const spec = aCrawlJobSpec({ browserWindows: 1 });
    driver.script({ pagesPerSeed: 3, pageSeconds: 1, packSeconds: 2, uploadSeconds: 3 });
    await driver.ensure(spec, 1, {});
    const startedMs = nowMs;
    nowMs += 3_600_000;
    const { instances } = await driver.observe(spec.jobId);
    expect(instances[0]).toMatchObject({
      phase: 'exited',
      status: 'done',
      exitCode: 0,
      exitedAt: new Date(startedMs + 8000),
    });
  });

  it('passes through generate-wacz and uploading-wacz', async () => {
    const spec = aCrawlJobSpec();
    driver.script({ pagesPerSeed: 1, pageSeconds: 0, packSeconds: 5, uploadSeconds: 5 });
    await driver.ensure(spec, 1, {});
    const seen: unknown[] = [];
    for (let i = 0; i < 3; i += 1) {
      seen.push((await driver.observe(spec.jobId)).instances[0]?.status);
      nowMs += 5000;
    }
    expect(seen).toEqual(['generate-wacz', 'uploading-wacz', 'done']);
  });

  it('waits for a store that is down and then hands the file over', async () => {
    const spec = aCrawlJobSpec();
    driver.script({ pageSeconds: 0 });
    const comeBack = store.goDown();
    await driver.ensure(spec, 1, {});
    expect((await driver.observe(spec.jobId)).instances[0]?.status).toBe('uploading-wacz');
    comeBack();
    expect((await driver.observe(spec.jobId)).instances[0]?.status).toBe('done');
    expect((await drained(spec.jobId)).filter(({ type }) => type === 'file')).toHaveLength(1);
  });

  it('stores a zip of stored entries with one response record for each page', async () => {
    const spec = aCrawlJobSpec();
    driver.script({ pageSeconds: 0, pagesPerSeed: 2 });
    await driver.ensure(spec, 1, {});
    const events = await drained(spec.jobId);
    const file = events.find((event) => event.type === 'file');
    const bytes = store.objects.get(file?.filename ?? '');
    expect(bytes?.length).toBe(file?.size);
    const entries = zipEntries(bytes ?? Buffer.alloc(0));
    expect([...entries.keys()].map((name) => name.split('/')[0])).toEqual(
      expect.arrayContaining(['archive', 'indexes', 'pages', 'logs', 'datapackage.json', 'datapackage-digest.json']),
    );
    const warc = gunzipSync(
      entries.get(`archive/my-org-site-example-${spec.jobId}-0.warc.gz`) ?? Buffer.alloc(0),
    ).toString();
    expect(warc.match(/WARC-Type: response/g)).toHaveLength(2);
    const page = events.find((event) => event.type === 'page');
    expect(`${spec.oid}/${page?.page.filename ?? ''}`).toBe(file?.filename);
    const [line = ''] = (entries.get('indexes/index.cdxj') ?? '').toString().split('\n');
    const entry = JSON.parse(line.slice(line.indexOf('{'))) as { offset: string; length: string };
    const member = (entries.get(`archive/my-org-site-example-${spec.jobId}-0.warc.gz`) ?? Buffer.alloc(0)).subarray(
      Number(entry.offset),
      Number(entry.offset) + Number(entry.length),
    );
    expect(gunzipSync(member).toString()).toContain('WARC-Target-URI: https://site.example/');
  });

  it('compares the pages of the crawl it ran before', async () => {
    const crawl = aCrawlJobSpec();
    driver.script({ pageSeconds: 0, pagesPerSeed: 2 });
    await driver.ensure(crawl, 1, {});
    const crawled = (await drained(crawl.jobId)).flatMap((event) => (event.type === 'page' ? [event.page.id] : []));
    await driver.remove(crawl.jobId);
    const qa = aCrawlJobSpec({ kind: 'qa', jobId: 'qa-20261121054215-00000000-abc', crawlId: crawl.jobId });
    await driver.ensure(qa, 1, {});
    const compared = (await drained(qa.jobId)).flatMap((event) => (event.type === 'page' ? [event.page] : []));
    expect(compared.map(({ id }) => id)).toEqual(crawled);
    expect(compared[0]?.comparison?.screenshotMatch).toBe(1);
  });

  it('keeps jobs beyond its capacity pending', async () => {
    driver.capacity = 1;
    const [first, second] = [aCrawlJobSpec(), aCrawlJobSpec()];
    await driver.ensure(first, 1, {});
    await driver.ensure(second, 1, {});
    expect((await driver.observe(second.jobId)).instances[0]?.phase).toBe('pending');
    nowMs += 60_000;
    await driver.observe(first.jobId);
    expect((await driver.observe(second.jobId)).instances[0]?.phase).toBe('running');
  });

  it.each(['requestStop', 'pause', 'cancel'] as const)(
    'lets %s end a job that still waits for a place',
    async (verb) => {
      driver.capacity = 1;
      const [first, second] = [aCrawlJobSpec(), aCrawlJobSpec()];
      await driver.ensure(first, 1, {});
      await driver.ensure(second, 1, {});
      await driver[verb](second.jobId);
      const status = { requestStop: 'done', pause: 'interrupted', cancel: 'canceled' }[verb];
      expect((await driver.observe(second.jobId)).instances[0]).toMatchObject({ phase: 'exited', status, exitCode: 0 });
    },
  );

  it('fails with code 9 when no page succeeded', async () => {
    const spec = aCrawlJobSpec();
    driver.script({ pageSeconds: 0, page: () => ({ loadState: 0 }) });
    await driver.ensure(spec, 1, {});
    expect((await driver.observe(spec.jobId)).instances[0]).toMatchObject({
      phase: 'exited',
      status: 'failed',
      exitCode: 9,
    });
    expect(store.objects.size).toBe(0);
  });

  it('restarts after a crash with growing backoff', async () => {
    const spec = aCrawlJobSpec();
    driver.script({ crashes: [10, 10] });
    await driver.ensure(spec, 1, {});
    expect((await driver.observe(spec.jobId)).instances[0]).toMatchObject({
      phase: 'backoff',
      exitCode: 10,
      status: 'interrupted',
    });
    nowMs += 10_000;
    expect((await driver.observe(spec.jobId)).instances[0]?.phase).toBe('backoff');
    nowMs += 19_000;
    expect((await driver.observe(spec.jobId)).instances[0]?.phase).toBe('backoff');
    nowMs += 1000;
    expect((await driver.observe(spec.jobId)).instances[0]?.phase).toBe('running');
  });
});

function zipEntries(bytes: Buffer): Map<string, Buffer> {
  const entries = new Map<string, Buffer>();
  const end = bytes.lastIndexOf(Buffer.from('504b0506', 'hex'));
  let at = bytes.readUInt32LE(end + 16);
  for (let i = bytes.readUInt16LE(end + 10); i > 0; i -= 1) {
    const [method, size, nameLength] = [
      bytes.readUInt16LE(at + 10),
      bytes.readUInt32LE(at + 20),
      bytes.readUInt16LE(at + 28),
    ];
    const local = bytes.readUInt32LE(at + 42);
    const start = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28);
    const data = bytes.subarray(start, start + size);
    entries.set(bytes.subarray(at + 46, at + 46 + nameLength).toString(), method === 0 ? data : inflateRawSync(data));
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32);
  }
  return entries;
}
