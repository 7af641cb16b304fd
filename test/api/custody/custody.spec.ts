import { createHash } from 'node:crypto';
import { FileSealing } from '../../../src/custody/file-sealing.js';
import { DomainEvents } from '../../../src/events/domain-events.js';
import { SigningKeys } from '../../../src/signing/signing-keys.js';
import { WaczSigner } from '../../../src/signing/wacz-signer.js';
import type { ApiClient } from '../../support/api-client.js';
import { anItem, settled } from '../../support/archive.js';
import { twoOrgs, type TwoOrgs } from '../../support/people.js';
import { type AppUnderTest, startApp } from '../../support/start-app.js';
import { hasOpenssl, TestTsa } from '../../support/tsa.js';
import { zipOf } from '../../support/zip.js';

const sha256 = (bytes: Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

describe('the custody of an item', () => {
  let on: AppUnderTest;
  let people: TwoOrgs;
  let api: ApiClient;
  let oid: string;
  let tsa: TestTsa | undefined;

  beforeAll(async () => {
    tsa = hasOpenssl() ? await TestTsa.start() : undefined;
    if (!tsa) process.stderr.write('SKIPPED: no openssl, so nothing is time-stamped\n');
    on = await startApp({ env: tsa ? { TSA_URL: tsa.url, ALLOW_PRIVATE_ADDRESSES: 'timestamps' } : {} });
    people = await twoOrgs(on);
    ({ oid } = people);
    api = people.viewer.api;
  });
  afterAll(async () => {
    await on.close();
    await tsa?.close();
  });
  beforeEach(() => {
    if (tsa) tsa.mood = 'well';
  });

  /** A package as crawls write it. */
  async function aPackage({ isSigned = true, isChanged = false } = {}): Promise<Buffer> {
    const created = on.clock.now().toISOString();
    const facts = { profile: 'data-package', resources: [], created, software: 'Crawler 1', browser: 'Browser 2' };
    const datapackage = Buffer.from(JSON.stringify(facts));
    const hash = sha256(datapackage);
    const signedData = isSigned ? await on.app.get(WaczSigner, { strict: false }).sign(hash, created) : undefined;
    const digest = JSON.stringify({ path: 'datapackage.json', hash, signedData });
    return zipOf([
      {
        name: 'datapackage.json',
        content: isChanged ? datapackage.toString().replace('Crawler 1', 'Crawler 9') : datapackage,
      },
      { name: 'datapackage-digest.json', content: digest },
    ]);
  }

  const sealing = () => on.app.get(FileSealing, { strict: false });
  async function finish(crawlId: string): Promise<void> {
    const fact = { oid, crawlId, cid: oid, state: 'complete', fileSize: 0 };
    await on.app.get(DomainEvents, { strict: false }).publish('crawl.finished', fact);
    await sealing().drain();
  }
  const pathOf = (id: string, org = oid): string => `/orgs/${org}/all-crawls/${id}/custody`;
  const custodyOf = async (id: string) => {
    const { status, body } = await api.get(pathOf(id));
    expect(status).toBe(200);
    return body;
  };
  let made = 0;
  const crawl = async (bytes: Buffer, more: object = {}): Promise<string> =>
    anItem(on, oid, { contents: { [`${String(++made)}.wacz`]: bytes }, ...more });

  it('names the files, who signed them, and what was done with them', async () => {
    const bytes = await aPackage();
    const id = await crawl(bytes, { cid: people.otherOid, cid_rev: 3, image: 'crawler:1', pageCount: 7 });
    const body = await custodyOf(id);
    const [key] = await on.app.get(SigningKeys, { strict: false }).all();
    expect(body).toMatchObject({
      ...{ id, oid, type: 'crawl', state: 'complete', userName: 'Tester', pageCount: 7, deleted: false },
      ...{ cid: people.otherOid, workflowRevision: 3, crawlerImage: 'crawler:1', fixityRuns: [], downloads: [] },
      keys: `${on.baseUrl}/.well-known/muniment-keys.json`,
    });
    expect(body.files).toEqual([
      {
        name: `${String(made)}.wacz`,
        size: bytes.length,
        sha256: sha256(bytes).slice(7),
        storages: ['default'],
        ...{ software: 'Crawler 1', browser: 'Browser 2', timeStamp: null, problem: null },
        signature: {
          ...{ by: 'this service', place: 'package', valid: true, org: null, domain: null, hash: null },
          ...{ keyId: key?._id, publicKey: key?.publicKey, software: expect.stringMatching(/^Muniment v/) },
          ...{ created: expect.any(String), signature: expect.any(String) },
        },
      },
    ]);
  });

  it('is for members of the org alone', async () => {
    const id = await crawl(await aPackage());
    expect((await on.api.get(pathOf(id))).status).toBe(401);
    expect((await people.stranger.api.get(pathOf(id))).status).toBe(404);
    expect((await people.stranger.api.get(pathOf(id, people.otherOid))).status).toBe(404);
    expect((await people.crawler.api.get(pathOf(id))).status).toBe(200);
    expect((await api.get(pathOf('manual-20260101000000-000000000000'))).status).toBe(404);
  });

  it('says that a signature is not valid when the package has changed', async () => {
    const [file] = (await custodyOf(await crawl(await aPackage({ isChanged: true })))).files;
    expect(file.signature).toMatchObject({ valid: false, place: 'package' });
  });

  it('knows a key that is not of this service, and keeps those of retired keys', async () => {
    const own = await crawl(await aPackage());
    const foreign = await crawl(await aPackage());
    await on.app.get(SigningKeys, { strict: false }).rotate();
    expect((await custodyOf(own)).files[0].signature).toMatchObject({ by: 'this service', valid: true });
    const [file] = (await custodyOf(foreign)).files;
    await on.connection.collection('signing_keys').deleteOne({ _id: file.signature.keyId });
    expect((await custodyOf(foreign)).files[0].signature).toMatchObject({ by: 'key', valid: true });
  });

  it('has the signature of a file that was packed without one, once the crawl is over', async () => {
    const bytes = await aPackage({ isSigned: false });
    const id = await crawl(bytes);
    expect((await custodyOf(id)).files[0].signature).toBeNull();
    await finish(id);
    await finish(id);
    const [{ signature }] = (await custodyOf(id)).files;
    expect(signature).toMatchObject({ by: 'this service', place: 'record', valid: true, hash: sha256(bytes) });
    expect(await on.connection.collection('file_seals').countDocuments({ itemId: id })).toBe(1);
    await on.connection.collection('crawls').updateOne({ _id: id as never }, { $set: { 'files.0.hash': '00' } });
    expect((await custodyOf(id)).files[0].signature).toMatchObject({ valid: false });
  });

  it('has a time stamp of each signature, tried until the authority answers as it should', async () => {
    if (!tsa) return;
    const ids = [await crawl(await aPackage()), await crawl(await aPackage({ isSigned: false }))];
    for (const [mood, problem] of [
      ['away', /answered 503/],
      ['wrong', /answers another request|of something else/],
    ] as const) {
      tsa.mood = mood;
      for (const id of ids) await finish(id);
      for (const id of ids) {
        const [file] = (await custodyOf(id)).files;
        expect(file).toMatchObject({ timeStamp: null, problem: expect.stringMatching(problem) });
        expect(file.signature).toMatchObject({ valid: true });
      }
      on.clock.advance(10 * 60_000);
    }
    tsa.mood = 'well';
    await sealing().drain();
    for (const id of ids) {
      const [{ signature, timeStamp, problem }] = (await custodyOf(id)).files;
      expect(timeStamp).toMatchObject({ valid: true, authority: 'Test Time Authority' });
      expect(problem).toBeNull();
      expect(await tsa.verifies(timeStamp.token, signature.signature)).toBe(true);
    }
    const seen = tsa.requests;
    on.clock.advance(10 * 60_000);
    await sealing().drain();
    expect(tsa.requests).toBe(seen);
    const spoilt = await on.connection.collection('file_seals').findOne({ itemId: ids[0] });
    const token = Buffer.from((spoilt?.['timeStamp'] as { token: string }).token, 'base64');
    token[token.length - 5] = (token.at(-5) ?? 0) ^ 1;
    const changed = { $set: { 'timeStamp.token': token.toString('base64') } };
    await on.connection.collection('file_seals').updateOne({ itemId: ids[0] }, changed);
    expect((await custodyOf(ids[0] ?? '')).files[0].timeStamp).toMatchObject({ valid: false });
  });

  it('has the verifications and downloads, and ends with the item', async () => {
    const id = await crawl(await aPackage({ isSigned: false }));
    await finish(id);
    const owner = await on.admin();
    for (let i = 0; i < 2; i += 1) {
      await owner.post(`/orgs/${oid}/all-crawls/verifyFiles`);
      await settled(on);
      on.clock.advance(60_000);
    }
    const download = (path: string, headers = {}) =>
      fetch(`${on.baseUrl}/api/orgs/${oid}/${path}`, {
        headers: { authorization: `Bearer ${people.viewer.api.token ?? ''}`, ...headers },
      }).then((answer) => answer.arrayBuffer());
    await download(`all-crawls/${id}/download`);
    await download(`crawls/${id}/download?preferSingleWACZ=true`);
    await download(`crawls/${id}/download`, { range: 'bytes=10-20' });
    const body = await custodyOf(id);
    expect(body.fixityRuns).toMatchObject([{ result: 'ok' }, { result: 'ok' }]);
    expect(body).toMatchObject({
      downloadCount: 2,
      downloads: [
        { userName: people.viewer.email, filename: `${id}.wacz` },
        { userName: people.viewer.email, filename: `${String(made)}.wacz` },
      ],
    });
    await owner.post(`/orgs/${oid}/all-crawls/delete`, { crawl_ids: [id] });
    expect((await api.get(pathOf(id))).status).toBe(404);
    for (const kept of ['file_seals', 'item_downloads'])
      expect(await on.connection.collection(kept).countDocuments({ $or: [{ itemId: id }, { _id: id as never }] })).toBe(
        0,
      );
  });

  it('says of a file that it cannot read what is wrong, and still tells the rest', async () => {
    const id = await crawl(Buffer.from('no zip'));
    expect((await custodyOf(id)).files).toMatchObject([{ signature: null, problem: expect.stringContaining('WACZ') }]);
  });

  describe('as a page', () => {
    const page = async (id: string, query: string, accept: string) => {
      const headers = { authorization: `Bearer ${people.viewer.api.token ?? ''}`, accept };
      return fetch(`${on.baseUrl}/api${pathOf(id)}${query}`, { headers });
    };

    it('is given to browsers and to whoever asks for it', async () => {
      const id = await crawl(await aPackage());
      const typeOf = async (query: string, accept: string) =>
        (await page(id, query, accept)).headers.get('content-type')?.split(';')[0];
      expect(await typeOf('', 'text/html,application/xhtml+xml,*/*;q=0.8')).toBe('text/html');
      expect(await typeOf('?format=html', '*/*')).toBe('text/html');
      expect(await typeOf('', '*/*')).toBe('application/json');
      expect(await typeOf('?format=json', 'text/html')).toBe('application/json');
      expect((await page(id, '?format=pdf', '*/*')).status).toBe(422);
    });

    it('runs nothing and shows every text as text', async () => {
      const name = `<script>alert(1)</script>"'&<img src=x onerror=alert(1)>`;
      const id = await crawl(await aPackage(), { name, firstSeed: 'https://a.example/?<b>', userName: '<i>' });
      const answer = await page(id, '?format=html', '*/*');
      const policy = answer.headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(/^default-src 'none'; style-src 'nonce-[^']+'; base-uri 'none'; form-action 'none'/);
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      const html = await answer.text();
      expect(html).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&amp;&lt;img');
      expect(html).toContain('https://a.example/?&lt;b&gt;');
      expect(html.match(/<(?:script|img|i|b|a|iframe|link)\b/g)).toBeNull();
      const nonce = /nonce-([^']+)'/.exec(policy)?.[1] ?? '';
      expect(html).toContain(`<style nonce="${nonce}">`);
      for (const told of ['SHA-256', 'this service', 'Crawler 1', 'Browser 2', 'valid']) expect(html).toContain(told);
    });
  });
});
