import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gunzipSync, gzipSync } from 'node:zlib';
import { findPythonTools } from '../../../scripts/provision/python.mjs';
import { Storages } from '../../../src/storage/storages.js';
import { OrgsRepository } from '../../../src/orgs/data/orgs.repository.js';
import { newId } from '../../../src/common/ids/uuid.js';
import { ItemsRepository } from '../../../src/items/data/items.repository.js';
import { writeWacz } from '../../../formats/wacz/wacz-writer.js';
import type { ApiClient } from '../../support/api-client.js';
import { anItem } from '../../support/archive.js';
import { eventually } from '../../support/eventually.js';
import { waczWith, type Captured } from '../../support/exchange-archive.js';
import type { TwoOrgs } from '../../support/people.js';
import { describeOnStores, ExchangeStage } from '../../support/exchange-stage.js';
import type { AppUnderTest } from '../../support/start-app.js';
import { packedPerRecord, siteRecords } from '../../support/warc.js';

const CAPTURES: Captured[] = Array.from({ length: 40 }, (_, n) => ({
  url: `https://warc.example/${n}`,
  at: '2025-02-03T04:05:06Z',
  body: randomBytes(2_000).toString('hex'),
}));
/** Size of the archive by which memory is measured. */
const BIG_MB = 300;

const facts = { created: '2026-01-01T00:00:00Z', software: 'test' };

async function whole(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of pieces) chunks.push(chunk);
  return Buffer.concat(chunks);
}

describeOnStores(
  (store) => `the WARC of an item in ${store}`,
  (store) => {
    let stage: ExchangeStage;
    let under: AppUnderTest;
    let people: TwoOrgs;
    let viewer: ApiClient;
    let itemId: string;

    beforeAll(async () => {
      stage = await ExchangeStage.open(store);
      ({ under, people } = stage);
      viewer = people.viewer.api;
      itemId = await anItem(under, people.oid, {
        contents: { 'a.wacz': await waczWith(CAPTURES), 'b.wacz': await waczWith(CAPTURES.slice(0, 5)) },
      });
    });
    afterAll(async () => {
      await stage?.close();
    });

    const pathOf = (id = itemId): string => `/orgs/${people.oid}/all-crawls/${id}/download/warc`;
    const fetched = async (headers: Record<string, string> = {}, id = itemId) => {
      const response = await viewer.fetch('GET', pathOf(id), { headers });
      return { response, bytes: Buffer.from(await response.arrayBuffer()) };
    };

    it('holds the records of all its files, with a known length and name', async () => {
      const { response, bytes } = await fetched();
      expect(response.status).toBe(200);
      expect(response.headers.get('content-length')).toBe(String(bytes.length));
      expect(response.headers.get('content-type')).toBe('application/warc+gzip');
      expect(response.headers.get('content-disposition')).toBe(`attachment; filename="${itemId}.warc.gz"`);
      const text = gunzipSync(bytes).toString('latin1');
      expect(text.match(/^WARC-Type: response\r$/gm)).toHaveLength(45);
      const head = await viewer.fetch('HEAD', pathOf());
      expect([head.status, head.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
      expect(head.headers.get('etag')).toBe(response.headers.get('etag'));
    });

    it('is read by another reader of WARCs', async () => {
      const tools = await findPythonTools();
      if (!tools) return;
      const folder = await mkdtemp(join(tmpdir(), 'muniment-warc-'));
      try {
        const file = join(folder, 'item.warc.gz');
        await writeFile(file, (await fetched()).bytes);
        execFileSync(join(tools.bin, 'warcio'), ['check', file]);
        const index = execFileSync(join(tools.bin, 'warcio'), ['index', '-f', 'warc-type,warc-target-uri', file]);
        expect(
          index
            .toString()
            .trim()
            .split('\n')
            .filter((line) => line.includes('"response"')),
        ).toHaveLength(45);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    });

    it('can be had in parts, which are the whole', async () => {
      const { bytes, response } = await fetched();
      const parts: Buffer[] = [];
      const step = Math.ceil(bytes.length / 7);
      for (let at = 0; at < bytes.length; at += step) {
        const part = await fetched({
          range: `bytes=${at}-${at + step - 1}`,
          'if-range': response.headers.get('etag')!,
        });
        expect(part.response.status).toBe(206);
        const end = Math.min(at + step, bytes.length) - 1;
        expect(part.response.headers.get('content-range')).toBe(`bytes ${at}-${end}/${bytes.length}`);
        parts.push(part.bytes);
      }
      expect(Buffer.concat(parts).equals(bytes)).toBe(true);
      const tail = await fetched({ range: 'bytes=-100' });
      expect([tail.response.status, tail.bytes.equals(bytes.subarray(-100))]).toEqual([206, true]);
      expect((await fetched({ range: `bytes=${bytes.length}-` })).response.status).toBe(416);
      expect((await fetched({ range: 'bytes=0-9', 'if-range': '"another"' })).response.status).toBe(200);
    });

    it('is packed anew where an archive holds records unpacked', async () => {
      const records = siteRecords();
      const members = [
        { path: 'archive/plain.warc', content: [Buffer.concat(records)] },
        { path: 'archive/packed.warc.gz', content: [packedPerRecord(records)] },
      ];
      const id = await anItem(under, people.oid, {
        contents: { 'plain.wacz': await whole(writeWacz(members, facts)) },
      });
      const { response, bytes } = await fetched({ range: 'bytes=0-9' }, id);
      expect([response.status, response.headers.get('accept-ranges')]).toEqual([200, null]);
      const text = gunzipSync(bytes).toString('latin1');
      expect(text.match(/^WARC\/1\.0\r$/gm)).toHaveLength(2 * records.length);
      expect(bytes.subarray(-packedPerRecord(records).length).equals(packedPerRecord(records))).toBe(true);
    });

    it('is refused to others, and of what cannot be read', async () => {
      const strange = await people.stranger.api.get(pathOf());
      expect([strange.status, strange.body.detail]).toEqual([404, 'org_not_found']);
      const elsewhere = await people.stranger.api.get(`/orgs/${people.otherOid}/all-crawls/${itemId}/download/warc`);
      expect([elsewhere.status, elsewhere.body.detail]).toEqual([404, `Crawl not found: ${itemId}`]);
      expect((await under.api.get(pathOf())).status).toBe(401);
      const broken = await anItem(under, people.oid, { contents: { 'broken.wacz': Buffer.from('no archive at all') } });
      const refused = await viewer.get(pathOf(broken));
      expect([refused.status, refused.body.detail]).toEqual([400, 'unreadable_archive']);
      const gone = await anItem(under, people.oid, { contents: { 'gone.wacz': await waczWith(CAPTURES.slice(0, 1)) } });
      const org = (await under.app.get(OrgsRepository, { strict: false }).findById(people.oid))!;
      await under.app.get(Storages, { strict: false }).primaryOf(org).delete(`${people.oid}/gone.wacz`);
      const missing = await viewer.get(pathOf(gone));
      expect([missing.status, missing.body.detail]).toEqual([503, 'archive_unavailable']);
      const empty = await anItem(under, people.oid);
      const none = await viewer.get(pathOf(empty));
      expect([none.status, none.body.detail]).toEqual([400, 'no_crawl_resources']);
    });

    it(`is sent with bounded memory, and no more is read for a client that goes`, async () => {
      const oid = people.oid;
      const org = (await under.app.get(OrgsRepository, { strict: false }).findById(oid))!;
      const store = under.app.get(Storages, { strict: false }).primaryOf(org);
      const megabyte = gzipSync(randomBytes(1024 * 1024), { level: 0 });
      async function* content(): AsyncGenerator<Buffer> {
        for (let n = 0; n < BIG_MB; n++) yield megabyte;
      }
      const big = writeWacz([{ path: 'archive/big.warc.gz', content: content() }], facts);
      const stored = await store.put(`${oid}/big.wacz`, Readable.from(big, { objectMode: false }));
      const id = `manual-20260101000000-${newId().slice(0, 12)}`;
      const file = { filename: `${oid}/big.wacz`, hash: stored.sha256, size: stored.size };
      const known = (await under.app.get(ItemsRepository, { strict: false }).findById(oid, itemId))!;
      const storage = known.files[0]!.storage;
      await under.app.get(ItemsRepository, { strict: false }).insert(oid, {
        ...{ ...known, _id: id, files: [{ ...file, storage, replicas: [] }], fileSize: stored.size, fileCount: 1 },
      });
      let most = 0;
      const before = process.memoryUsage().rss;
      const response = await viewer.fetch('GET', pathOf(id));
      let received = 0;
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        received += chunk.length;
        most = Math.max(most, process.memoryUsage().rss - before);
      }
      expect(received).toBe(megabyte.length * BIG_MB);
      process.stdout.write(
        `exchange: ${BIG_MB} MB sent, at most ${(most / 1e6).toFixed(0)} MB more memory (${store})\n`,
      );
      expect(most).toBeLessThan(150e6);

      const abort = new AbortController();
      const served = under.app.get(Storages, { strict: false }).primaryOf(org);
      const bodies: Readable[] = [];
      const get = served.get.bind(served);
      served.get = async (...args) => {
        const answer = await get(...args);
        bodies.push(answer.body);
        return answer;
      };
      try {
        const cut = await fetch(new URL(`/api${pathOf(id)}`, under.baseUrl), {
          headers: { authorization: `Bearer ${viewer.token}` },
          signal: abort.signal,
        });
        await cut.body!.getReader().read();
        expect(bodies.some((body) => !body.destroyed)).toBe(true);
        abort.abort();
        await eventually(() => Promise.resolve(expect(bodies.every((body) => body.destroyed)).toBe(true)));
      } finally {
        served.get = get;
      }
    }, 120_000);
  },
);
