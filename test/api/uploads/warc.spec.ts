import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';

import { findPythonTools } from '../../../scripts/provision/python.mjs';
import { Storages } from '../../../src/storage/storages.js';
import type { ApiClient } from '../../support/api-client.js';
import { givenUp, settled } from '../../support/archive.js';
import { type AppUnderTest, startApp } from '../../support/start-app.js';
import { packedPerRecord, siteRecords } from '../../support/warc.js';
import { waczOf } from '../../support/zip.js';

const run = promisify(execFile);

describe('uploads of plain WARC files', () => {
  let app: AppUnderTest;
  let api: ApiClient;
  let oid: string;

  beforeAll(async () => {
    app = await startApp();
    api = await app.admin();
    oid = await app.defaultOrgId();
  });
  afterAll(() => app.close());

  const settle = () => settled(app);
  const stream = (filename: string, body: Buffer) =>
    api.put(`/orgs/${oid}/uploads/stream`, undefined, { query: { filename }, raw: new Uint8Array(body) });
  const replay = async (id: string) => (await api.get(`/orgs/${oid}/uploads/${id}/replay.json`)).body;

  afterEach(async () => {
    await settle();
    const items = await app.connection.collection('crawls').find({}).toArray();
    const recorded = items.flatMap((item) => (item['files'] as { filename: string }[]).map((f) => f.filename));
    const { objects } = await app.app.get(Storages).resolveDefault({ name: 'default', custom: false }).list('');
    expect(objects.map(({ key }) => key).sort()).toEqual(recorded.sort());
    const org = await app.connection.collection('organizations').findOne({ slug: { $exists: true } });
    const sum = items.reduce((total, item) => total + Number(item['fileSize']), 0);
    expect(Number(org?.['bytesStoredUploads'] ?? 0)).toBe(sum);
  });

  /** What independent programs find wrong with the package. */
  async function faults(wacz: Buffer): Promise<string[]> {
    const tools = await findPythonTools();
    if (!tools) return [];
    const folder = await mkdtemp(join(tmpdir(), 'muniment-warc-'));
    const path = join(folder, 'made.wacz');
    try {
      await writeFile(path, wacz);
      const checks = [
        run(join(tools.bin, 'wacz'), ['validate', '-f', path]),
        run(tools.python, ['-c', READS_EVERY_LINE, path]),
      ];
      const outcomes = await Promise.allSettled(checks);
      return outcomes.flatMap((one) => {
        if (one.status === 'fulfilled') return [];
        const { stdout, stderr } = one.reason as { stdout?: string; stderr?: string };
        return [`${String(one.reason)}\n${stdout}${stderr}`];
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  it.each([
    ['My Site.warc.gz', packedPerRecord(siteRecords()), 'archive/My-Site.warc.gz'],
    ['My Site.warc', Buffer.concat(siteRecords()), 'archive/My-Site.warc'],
    ['packed at once.warc.gz', gzipSync(Buffer.concat(siteRecords())), 'archive/packed-at-once.warc.gz'],
    ['no extension', packedPerRecord(siteRecords()), 'archive/no-extension.warc.gz'],
  ])('makes a WACZ of %s', async (name, bytes, member) => {
    const { id } = (await stream(name, bytes)).body;
    await settle();
    const body = await replay(id);
    expect(body).toMatchObject({ state: 'complete', fileCount: 1, pageCount: 2, uniquePageCount: 2 });
    const [resource] = body.resources;
    expect(resource.name).toMatch(/^upload-[0-9a-f-]{36}-[a-z-]+-[a-z2-7]{8}\.wacz$/);
    expect(resource).toMatchObject({ originalFilename: name, size: body.fileSize });
    const pages = body.initialPages.map(({ url, title }: { url: string; title: string }) => [url, title]);
    // Of one second; which comes first is left open.
    expect(pages.sort()).toEqual([
      ['https://warc.example/', 'Start & Ziel'],
      ['https://warc.example/second', 'Zweite Seite ü'],
    ]);
    const answer = await fetch(new URL(resource.path, app.baseUrl));
    const wacz = Buffer.from(await answer.arrayBuffer());
    expect(wacz.includes(member)).toBe(true);
    expect(await faults(wacz)).toEqual([]);
  });

  it('takes WARC and WACZ files of one form', async () => {
    const form = new FormData();
    form.append('uploads', new Blob([new Uint8Array(packedPerRecord(siteRecords()))]), 'a.warc.gz');
    form.append('uploads', new Blob([new Uint8Array(await waczOf(['https://c.example/']))]), 'b.wacz');
    const { id } = (await api.put(`/orgs/${oid}/uploads/formdata`, undefined, { raw: form })).body;
    await settle();
    const body = await replay(id);
    expect(body).toMatchObject({ state: 'complete', fileCount: 2, pageCount: 3 });
    expect(body.resources.map((r: { originalFilename: string }) => r.originalFilename)).toEqual([
      'a.warc.gz',
      'b.wacz',
    ]);
  });

  it.each([
    ['truncated', packedPerRecord(siteRecords()).subarray(0, -30)],
    ['damaged', Buffer.concat([packedPerRecord(siteRecords()), Buffer.alloc(100, 7)])],
  ])('fails a %s file and keeps it as it came', async (_label, bytes) => {
    const { id } = (await stream('broken.warc.gz', bytes)).body;
    await givenUp(app);
    const { body } = await api.get(`/orgs/${oid}/uploads/${id}`);
    expect(body).toMatchObject({ state: 'failed', fileSize: bytes.length, fileCount: 1, pageCount: 0 });
  });

  it('fails when the package does not fit into the quota', async () => {
    const bytes = packedPerRecord(siteRecords());
    const { bytesStored } = (await api.get(`/orgs/${oid}`)).body;
    await api.post(`/orgs/${oid}/quotas`, { storageQuota: bytesStored + bytes.length });
    try {
      const { id } = (await stream('large.warc.gz', bytes)).body;
      await givenUp(app);
      expect((await api.get(`/orgs/${oid}/uploads/${id}`)).body).toMatchObject({
        state: 'failed',
        fileSize: bytes.length,
      });
      const job = await api.get(`/orgs/${oid}/jobs/postprocess-upload-${id}`);
      expect(job.body).toMatchObject({ success: false });
    } finally {
      await api.post(`/orgs/${oid}/quotas`, { storageQuota: 0 });
    }
  });

  it('packages once however often the job runs', async () => {
    const { id } = (await stream('again.warc.gz', packedPerRecord(siteRecords()))).body;
    await settle();
    const before = await replay(id);
    await app.connection
      .collection<{ _id: string }>('crawls')
      .updateOne({ _id: id }, { $set: { state: 'processing-upload' } });
    const { JobStarter } = await import('../../../src/jobs/job-starter.js');
    await app.app.get(JobStarter).start('postprocess-upload', { oid, fields: { crawl_id: id } });
    await settle();
    expect((await replay(id)).resources).toEqual(before.resources);
  });
});

/** Python's own zip reader, and the record at every line of the index. */
const READS_EVERY_LINE = `
import sys, json, zipfile, io
from warcio.archiveiterator import ArchiveIterator
z = zipfile.ZipFile(sys.argv[1])
assert z.testzip() is None
lines = z.read('indexes/index.cdxj').decode().splitlines()
assert lines == sorted(lines) and lines
for line in lines:
    f = json.loads(line[line.index('{'):])
    raw = z.read('archive/' + f['filename'])[int(f['offset']):int(f['offset']) + int(f['length'])]
    records = [(r.rec_headers.get_header('WARC-Target-URI'), r.content_stream().read()) for r in ArchiveIterator(io.BytesIO(raw))]
    assert len(records) == 1 and records[0][0] == f['url'], f
`;
