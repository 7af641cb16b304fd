import { createHash, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';

import { JobWorker } from '../../../src/jobs/job-worker.js';
import type { ApiClient } from '../../support/api-client.js';
import { SIGNER } from '../../support/signer.js';
import { type AppUnderTest, startApp } from '../../support/start-app.js';
import { zipOf } from '../../support/zip.js';

const sha256 = (bytes: string | Buffer): string => `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

describe('what an uploaded WACZ says of itself', () => {
  let app: AppUnderTest;
  let api: ApiClient;
  let oid: string;
  let keys: { publicKey: KeyObject; privateKey: KeyObject };

  beforeAll(async () => {
    app = await startApp();
    api = await app.admin();
    oid = await app.defaultOrgId();
    keys = generateKeyPairSync('ec', { namedCurve: 'P-384' });
  });
  afterAll(() => app.close());

  const PAGES =
    '{"format":"json-pages-1.0","id":"pages","title":"All Pages"}\n{"url":"https://signed.example/","title":"S"}\n';
  const DATA = Buffer.alloc(5000, 7);

  interface Lies {
    datapackage?: (json: { resources: { path: string; hash: string; bytes: number }[] }) => void;
    digest?: (json: Record<string, unknown>) => void;
  }
  const spki = () => keys.publicKey.export({ type: 'spki', format: 'der' }).toString('base64');

  /** As archiveweb.page signs: the text of the hash, by a key of its own. */
  const signedBy = (hash: string, encoding: 'ieee-p1363' | 'der' = 'ieee-p1363') => ({
    hash,
    created: '2026-01-02T03:04:05Z',
    software: 'some signer 1.0',
    publicKey: spki(),
    signature: sign('sha256', Buffer.from(hash), { key: keys.privateKey, dsaEncoding: encoding }).toString('base64'),
  });

  async function aWacz({ datapackage = () => undefined, digest = () => undefined }: Lies = {}): Promise<Buffer> {
    const resource = (path: string, content: string | Buffer) => ({
      name: path,
      path,
      hash: sha256(content),
      bytes: content.length,
    });
    const json = {
      profile: 'data-package',
      resources: [resource('pages/pages.jsonl', PAGES), resource('archive/data.warc.gz', DATA)],
    };
    datapackage(json);
    const described = JSON.stringify(json);
    const sealed: Record<string, unknown> = { path: 'datapackage.json', hash: sha256(described) };
    digest(sealed);
    return zipOf([
      { name: 'pages/pages.jsonl', content: PAGES, compress: true },
      { name: 'archive/data.warc.gz', content: DATA },
      { name: 'datapackage.json', content: described },
      { name: 'datapackage-digest.json', content: JSON.stringify(sealed) },
    ]);
  }

  async function uploaded(wacz: Buffer) {
    const raw = new Uint8Array(wacz);
    const { body } = await api.put(`/orgs/${oid}/uploads/stream`, undefined, { query: { filename: 's.wacz' }, raw });
    await app.app.get(JobWorker).drain();
    const shown = (await api.get(`/orgs/${oid}/uploads/${body.id}/replay.json`)).body;
    expect(shown).toMatchObject({ state: 'complete', pageCount: 1 });
    return shown;
  }
  const verified = async (lies: Lies = {}) => (await uploaded(await aWacz(lies))).resources[0].verification;

  it.each(['datapackage.json', 'datapackage-digest.json'])(
    'is not read where %s is larger than any real one: parsed whole, it would fill the memory',
    async (name) => {
      const content = JSON.stringify({ resources: [], filler: 'x'.repeat(2_000_000) });
      const wacz = await zipOf([
        { name: 'pages/pages.jsonl', content: PAGES, compress: true },
        { name, content, compress: true },
      ]);
      const { verification } = (await uploaded(wacz)).resources[0];
      expect(verification).toEqual({
        intact: false,
        problems: [`${name} has ${content.length} bytes`],
        signature: null,
      });
    },
  );

  it('is confirmed', async () => {
    expect(await verified()).toEqual({ intact: true, problems: [], signature: null });
  });

  it.each<[string, Lies, string]>([
    [
      'a digest of something else',
      { digest: (json) => (json['hash'] = sha256('x')) },
      'datapackage.json does not match datapackage-digest.json',
    ],
    [
      'a wrong hash of a member',
      { datapackage: (json) => (json.resources[1]!.hash = sha256('x')) },
      'archive/data.warc.gz does not match its hash',
    ],
    [
      'a wrong size of a member',
      { datapackage: (json) => (json.resources[1]!.bytes = 4) },
      'archive/data.warc.gz has 5000 bytes, not 4',
    ],
    [
      'a member that is not there',
      { datapackage: (json) => (json.resources[1]!.path = 'archive/x') },
      'archive/x is missing',
    ],
  ])('is contradicted: %s', async (_label, lies, problem) => {
    expect(await verified(lies)).toMatchObject({ intact: false, problems: [problem] });
  });

  it('is not known of a package without a description', async () => {
    const bare = await zipOf([{ name: 'pages/pages.jsonl', content: PAGES }]);
    expect((await uploaded(bare)).resources[0].verification).toEqual({ intact: null, problems: [], signature: null });
  });

  it.each(['ieee-p1363', 'der'] as const)('is signed by a key, in the %s form', async (encoding) => {
    const digest = (json: Record<string, unknown>) => (json['signedData'] = signedBy(String(json['hash']), encoding));
    expect((await verified({ digest })).signature).toEqual({
      valid: true,
      domain: null,
      publicKey: spki(),
      created: '2026-01-02T03:04:05Z',
      software: 'some signer 1.0',
    });
  });

  it('is signed by a domain', async () => {
    const { domain, certificate: domainCert, privateKey } = SIGNER;
    const signedFor = (name: string) => (json: Record<string, unknown>) => {
      const signature = sign('sha256', Buffer.from(String(json['hash'])), privateKey).toString('base64');
      json['signedData'] = { hash: json['hash'], domain: name, domainCert, signature };
    };
    expect((await verified({ digest: signedFor(domain) })).signature).toMatchObject({
      valid: true,
      domain,
      publicKey: null,
    });
    expect((await verified({ digest: signedFor('other.example') })).signature).toMatchObject({ valid: false });
  });

  it.each<[string, (signed: Record<string, unknown>) => void]>([
    ['of another package', (signed) => Object.assign(signed, signedBy(sha256('another')))],
    [
      'by another key',
      (signed) =>
        (signed['publicKey'] = generateKeyPairSync('ec', { namedCurve: 'P-384' })
          .publicKey.export({ type: 'spki', format: 'der' })
          .toString('base64')),
    ],
    ['that is none', (signed) => (signed['signature'] = 'bm9uZQ==')],
    ['without a key', (signed) => delete signed['publicKey']],
    ['by a certificate that is none', (signed) => Object.assign(signed, { domain: 'example.org', domainCert: 'x' })],
  ])('has an invalid signature: one %s', async (_label, spoil) => {
    const digest = (json: Record<string, unknown>) => {
      const signed: Record<string, unknown> = signedBy(String(json['hash']));
      spoil(signed);
      json['signedData'] = signed;
    };
    expect((await verified({ digest })).signature).toMatchObject({ valid: false });
  });

  it('comes out again byte for byte, alone and out of a package of several', async () => {
    const digest = (json: Record<string, unknown>) => (json['signedData'] = signedBy(String(json['hash'])));
    const wacz = await aWacz({ digest });
    const { id, resources } = await uploaded(wacz);
    const stored = Buffer.from(await (await fetch(new URL(resources[0].path, app.baseUrl))).arrayBuffer());
    expect(stored.equals(wacz)).toBe(true);
    const single = await api.fetch('GET', `/orgs/${oid}/all-crawls/${id}/download`, {
      query: { preferSingleWACZ: true },
    });
    expect(Buffer.from(await single.arrayBuffer()).equals(wacz)).toBe(true);
    const combined = await api.fetch('GET', `/orgs/${oid}/uploads/${id}/download`);
    const again = await uploaded(Buffer.from(await combined.arrayBuffer()));
    expect(again.resources[0]).toMatchObject({
      hash: sha256(wacz).slice(7),
      verification: { signature: { valid: true } },
    });
  });
});
