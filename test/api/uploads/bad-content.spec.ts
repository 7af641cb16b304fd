import { crc32, deflateRawSync } from 'node:zlib';

import { Storages } from '../../../src/storage/storages.js';
import { directoryAndEnd, localHeader } from '../../../formats/zip/zip-records.js';
import type { ApiClient } from '../../support/api-client.js';
import { givenUp } from '../../support/archive.js';
import { expectInvariants } from '../../support/invariants.js';
import { type AppUnderTest, startApp } from '../../support/start-app.js';
import { waczOf, zipOf } from '../../support/zip.js';

/** A ZIP with any names at all: other writers refuse the ones that matter here. */
function zipWith(members: readonly { name: string; content: Buffer }[]): Buffer {
  const parts: Buffer[] = [];
  let offset = 0;
  const entries = members.map(({ name, content }) => {
    const entry = { name, size: content.length, crc32: crc32(content), offset, hasDescriptor: false };
    for (const part of [localHeader(entry), content]) {
      parts.push(part);
      offset += part.length;
    }
    return entry;
  });
  return Buffer.concat([...parts, directoryAndEnd(entries, offset)]);
}

const EVIL_NAMES = [
  '../../../../etc/evil.wacz',
  '/abs/olute.wacz',
  'nul\0byte.wacz',
  `${'n'.repeat(10_000)}.wacz`,
  'same.wacz',
  'same.wacz',
  'back\\slash.wacz',
  '.wacz',
  'новый 💣.wacz',
];

describe('uploads of what a stranger may send', () => {
  let app: AppUnderTest;
  let api: ApiClient;
  let oid: string;
  let wacz: Buffer;

  beforeAll(async () => {
    app = await startApp();
    api = await app.admin();
    oid = await app.defaultOrgId();
    wacz = await waczOf(['https://a.example/', 'https://b.example/']);
  });
  afterAll(() => app.close());

  /** Counters and records agree, and the bucket holds nothing but the items' files, all in the org's folder. */
  afterEach(async () => {
    await expectInvariants(app);
    const docs = await app.connection.collection('crawls').find({}).toArray();
    const recorded = docs.flatMap((doc) => (doc['files'] as { filename: string }[]).map(({ filename }) => filename));
    const store = app.app.get(Storages, { strict: false }).resolveDefault({ name: 'default', custom: false });
    const keys = (await store.list('')).objects.map(({ key }) => key);
    expect(keys.sort()).toEqual(recorded.sort());
    expect(keys.filter((key) => !key.startsWith(`${oid}/uploads/`))).toEqual([]);
  });

  /** @param under the process that takes and processes it */
  async function uploaded(bytes: Buffer, filename = 'a.wacz', under = app) {
    const [as, raw] = [under.api.as(api.token), new Uint8Array(bytes)];
    const { status, body } = await as.put(`/orgs/${oid}/uploads/stream`, undefined, { query: { filename }, raw });
    expect(status).toBe(200);
    await givenUp(under);
    return (await api.get(`/orgs/${oid}/uploads/${body.id}/replay.json`)).body;
  }

  it('keeps members with hostile names, and lists the pages', async () => {
    const pages = Buffer.from('{"url":"https://a.example/","title":"A"}\n');
    const members = EVIL_NAMES.map((name) => ({ name: name.replace(/wacz$/, 'txt'), content: Buffer.from('x') }));
    const shown = await uploaded(zipWith([...members, { name: 'pages/pages.jsonl', content: pages }]));
    expect(shown).toMatchObject({ state: 'complete', fileCount: 1, pageCount: 1 });
  });

  it('gives children with hostile names keys of its own', async () => {
    const shown = await uploaded(zipWith(EVIL_NAMES.map((name) => ({ name, content: wacz }))));
    expect(shown).toMatchObject({ state: 'complete', fileCount: EVIL_NAMES.length, pageCount: 2 * EVIL_NAMES.length });
    for (const { name } of shown.resources as { name: string }[]) {
      expect(name).toMatch(/^upload-[0-9a-f-]{36}-[a-z0-9-]{0,120}-[a-z2-7]{8}\.wacz$/);
    }
  });

  it.each(EVIL_NAMES.map((name) => [name.slice(0, 40), name]))(
    'gives a file called %j a key of its own',
    async (_, name) => {
      const shown = await uploaded(wacz, name);
      expect(shown).toMatchObject({ state: 'complete', pageCount: 2 });
      expect(shown.resources[0].name).not.toMatch(/[/\\\0]|\.\./);
      expect(shown.resources[0].originalFilename).not.toContain('/');
    },
  );

  it('cuts a bomb off: a page list that unpacks to more than it says', async () => {
    const bomb = await zipOf([{ name: 'pages/pages.jsonl', content: Buffer.alloc(30_000_000, '\n'), compress: true }]);
    const packed = deflateRawSync(Buffer.alloc(30_000_000, '\n'));
    expect(bomb.length).toBeLessThan(packed.length + 1000);
    // The size in the central directory, which is what is believed at first.
    const central = bomb.indexOf(Buffer.from('PK\x01\x02', 'latin1'));
    bomb.writeUInt32LE(100, central + 24);
    const shown = await uploaded(bomb);
    expect(shown).toMatchObject({ state: 'complete', pageCount: 0, fileSize: bomb.length });
  });

  it('fails a package with a bomb, a WACZ that unpacks to more than it says, and keeps it as it came', async () => {
    const bomb = await zipOf([
      { name: 'one.wacz', content: wacz },
      { name: 'two.wacz', content: Buffer.alloc(30_000_000), compress: true },
    ]);
    const central = bomb.indexOf(Buffer.from('PK\x01\x02', 'latin1'));
    const second = bomb.indexOf(Buffer.from('PK\x01\x02', 'latin1'), central + 4);
    bomb.writeUInt32LE(100, second + 24);
    expect(await uploaded(bomb)).toMatchObject({ state: 'failed', fileCount: 1, fileSize: bomb.length });
  });

  it('fails a package whose WACZs fit the quota one by one but not together, and takes no more than the quota', async () => {
    const { bytesStored } = (await api.get(`/orgs/${oid}`)).body;
    const children = Array.from({ length: 20 }, (_, n) => ({ name: `${n}.wacz`, content: Buffer.alloc(1_000_000, n) }));
    const bomb = await zipOf(children.map((child) => ({ ...child, compress: true })));
    const storageQuota = bytesStored + 10_000_000;
    await api.post(`/orgs/${oid}/quotas`, { storageQuota });
    try {
      const shown = await uploaded(bomb);
      expect(shown).toMatchObject({ state: 'failed', fileCount: 1, fileSize: bomb.length });
      const { body: job } = await api.get(`/orgs/${oid}/jobs/postprocess-upload-${shown.id}`);
      expect(job.error).toMatch(/^WACZ file '\d+\.wacz' inside item id \S+ exceeds max size$/);
      expect((await api.get(`/orgs/${oid}`)).body.bytesStored).toBe(bytesStored + bomb.length);
    } finally {
      await api.post(`/orgs/${oid}/quotas`, { storageQuota: 0 });
    }
  });

  it('fails packages that are opened at one moment and fit the quota one by one but not together', async () => {
    const packed = await zipOf([{ name: 'in.wacz', content: Buffer.alloc(4_000_000), compress: true }]);
    const { bytesStored } = (await api.get(`/orgs/${oid}`)).body;
    const storageQuota = bytesStored + 10_000_000;
    await api.post(`/orgs/${oid}/quotas`, { storageQuota });
    try {
      const raw = new Uint8Array(packed);
      const query = { filename: 'a.wacz' };
      const sent = Array.from({ length: 4 }, () => api.put(`/orgs/${oid}/uploads/stream`, undefined, { query, raw }));
      const ids = (await Promise.all(sent)).map(({ body }) => body.id as string);
      await givenUp(app);
      const states = await Promise.all(
        ids.map(async (id) => (await api.get(`/orgs/${oid}/uploads/${id}/replay.json`)).body.state as string),
      );
      expect(states.sort()).toEqual(['complete', 'complete', 'failed', 'failed']);
      expect((await api.get(`/orgs/${oid}`)).body.bytesStored).toBeLessThanOrEqual(storageQuota);
    } finally {
      await api.post(`/orgs/${oid}/quotas`, { storageQuota: 0 });
    }
  });

  it('fails a package whose directory names the same bytes again and again', async () => {
    const content = deflateRawSync(Buffer.alloc(100_000));
    const crc = crc32(Buffer.alloc(100_000));
    const header = localHeader({ name: '0.wacz', size: 100_000, crc32: crc, offset: 0, hasDescriptor: false });
    header.writeUInt16LE(8, 8);
    const plain = { size: 100_000, crc32: crc, offset: 0, hasDescriptor: false };
    const names = Array.from({ length: 50 }, (_, n) => ({ ...plain, name: `${n}.wacz` }));
    const bytes = Buffer.concat([header, content, directoryAndEnd(names, header.length + content.length)]);
    for (
      let at = bytes.indexOf('PK\x01\x02', 0, 'latin1');
      at >= 0;
      at = bytes.indexOf('PK\x01\x02', at + 4, 'latin1')
    ) {
      bytes.writeUInt16LE(8, at + 10);
      bytes.writeUInt32LE(content.length, at + 20);
    }
    const shown = await uploaded(bytes);
    expect(shown).toMatchObject({ state: 'failed', fileCount: 1, fileSize: bytes.length });
    const { body: job } = await api.get(`/orgs/${oid}/jobs/postprocess-upload-${shown.id}`);
    expect(job.error).toMatch(/overlap/);
  });

  it('fails a package of more WACZs than an item can list', async () => {
    const empty = Array.from({ length: 10_001 }, (_, n) => ({ name: `${n}.wacz`, content: Buffer.alloc(0) }));
    const shown = await uploaded(zipWith(empty));
    expect(shown).toMatchObject({ state: 'failed', fileCount: 1 });
  });

  it('takes no more pages from a small file than it has room for', async () => {
    const line = '{"url":"https://many.example/"}\n';
    const list = await zipOf([{ name: 'pages/pages.jsonl', content: line.repeat(200_000), compress: true }]);
    expect(list.length).toBeLessThan(100_000);
    const shown = await uploaded(list);
    expect(shown).toMatchObject({ state: 'complete', pageCount: 25_000 });
    const { body: job } = await api.get(`/orgs/${oid}/jobs/postprocess-upload-${shown.id}`);
    expect(JSON.stringify(job.logs)).toContain('more than 25000 pages');
  });

  describe('a package with a WACZ that is larger than allowed', () => {
    const packed = () => zipOf([{ name: 'in/large.wacz', content: wacz, compress: true }]);

    /** It stays as it came, and its job says why. */
    async function expectRefused(item: { id: string }, bytes: Buffer): Promise<void> {
      expect(item).toMatchObject({ state: 'failed', fileCount: 1, fileSize: bytes.length, resources: [] });
      const { body: job } = await api.get(`/orgs/${oid}/jobs/postprocess-upload-${item.id}`);
      const error = `WACZ file 'in/large.wacz' inside item id ${item.id} exceeds max size`;
      expect(job).toMatchObject({ success: false, error });
    }

    it('fails by what the quota has room for, to the byte', async () => {
      const bytes = await packed();
      const setQuota = (storageQuota: number) => api.post(`/orgs/${oid}/quotas`, { storageQuota });
      // The child is measured against what is left beside the package.
      const { bytesStored } = (await api.get(`/orgs/${oid}`)).body;
      try {
        await setQuota(bytesStored + bytes.length + wacz.length - 1);
        await expectRefused(await uploaded(bytes), bytes);
        await setQuota(bytesStored + 2 * bytes.length + wacz.length);
        expect(await uploaded(bytes)).toMatchObject({ state: 'complete', fileCount: 1, fileSize: wacz.length });
      } finally {
        await setQuota(0);
      }
    });

    it('fails by the limit of the deployment', async () => {
      const bytes = await packed();
      const MAX_WACZ_FILE_SIZE_BYTES = String(wacz.length - 1);
      const strict = await startApp({ like: app, env: { MAX_WACZ_FILE_SIZE_BYTES } });
      try {
        await expectRefused(await uploaded(bytes, 'a.wacz', strict), bytes);
      } finally {
        await strict.stop();
      }
    });
  });

  it('reads a page list of nothing but one endless line in bounded steps', async () => {
    const endless = await zipOf([
      { name: 'pages/pages.jsonl', content: Buffer.alloc(30_000_000, 'a'), compress: true },
    ]);
    expect(await uploaded(endless)).toMatchObject({ state: 'complete', pageCount: 0 });
  });

  /** Sets the flag of encryption in every header of the archive. */
  function encrypted(zip: Buffer): Buffer {
    const bytes = Buffer.from(zip);
    for (const [signature, flags] of [
      ['PK\x03\x04', 6],
      ['PK\x01\x02', 8],
    ] as const) {
      for (let at = bytes.indexOf(signature, 0, 'latin1'); at >= 0; at = bytes.indexOf(signature, at + 4, 'latin1')) {
        bytes.writeUInt16LE(bytes.readUInt16LE(at + flags) | 1, at + flags);
      }
    }
    return bytes;
  }

  it('keeps a WACZ with encrypted members, without pages', async () => {
    const shown = await uploaded(
      encrypted(await zipOf([{ name: 'pages/pages.jsonl', content: '{"url":"https://a.example/"}' }])),
    );
    expect(shown).toMatchObject({ state: 'complete', pageCount: 0 });
    expect(shown.resources[0].verification).toMatchObject({ intact: null });
  });

  it('fails a package whose WACZs are encrypted, and keeps it as it came', async () => {
    const packed = encrypted(zipWith([{ name: 'one.wacz', content: Buffer.alloc(500, 3) }]));
    expect(await uploaded(packed)).toMatchObject({
      state: 'failed',
      fileCount: 1,
      fileSize: packed.length,
      resources: [],
    });
  });

  it('fails a package that breaks off within its second WACZ, and keeps no child', async () => {
    const packed = zipWith([
      { name: 'one.wacz', content: wacz },
      { name: 'two.wacz', content: wacz },
    ]);
    packed.writeUInt8(packed.readUInt8(wacz.length * 2) ^ 0xff, wacz.length * 2);
    expect(await uploaded(packed)).toMatchObject({ state: 'failed', fileCount: 1, fileSize: packed.length });
  });
});
