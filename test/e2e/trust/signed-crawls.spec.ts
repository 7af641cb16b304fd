import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { jest } from '@jest/globals';
import { ZipArchive } from '../../../formats/zip/zip-archive.js';
import { browsersBelow } from '../../../src/drivers/local/processes.js';
import { checkPackage } from '../../../src/wacz/package-check.js';
import type { ApiClient } from '../../support/api-client.js';
import { builtCrawler } from '../../support/build-crawler.js';
import { eventually } from '../../support/eventually.js';
import { HeldSite } from '../../support/held-site.js';
import { pagesReplayed } from '../../support/replayed.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';
import { hasOpenssl, TestTsa } from '../../support/tsa.js';
import { faultsOf, WaczFile } from '../../support/wacz-file.js';

const BOUND_MS = 120_000;
const run = promisify(execFile);
const VERIFIER = fileURLToPath(new URL('../../support/verify-wacz.py', import.meta.url));
const hasPython = await run('python3', ['-c', 'import cryptography']).then(
  () => true,
  () => false,
);
if (!hasPython)
  process.stderr.write('SKIPPED: no python3 with cryptography, so nobody but the product verifies signatures\n');
if (!hasOpenssl()) process.stderr.write('SKIPPED: no openssl, so nothing is time-stamped\n');

const inMemory = (bytes: Buffer) =>
  ZipArchive.open({
    size: bytes.length,
    stream: (start, length) => Promise.resolve(Readable.from([bytes.subarray(start, start + length)])),
  });

/** The key that an independent program says signed the package; null when it refuses. */
async function verifiedByOthers(path: string): Promise<string | null> {
  return run('python3', [VERIFIER, path]).then(
    ({ stdout }) => stdout.trim(),
    () => null,
  );
}

describe('crawls of a service that signs', () => {
  jest.setTimeout(360_000);
  let on: AppUnderTest;
  let api: ApiClient;
  let oid: string;
  let site: HeldSite;
  let tsa: TestTsa | undefined;
  let folder: string;

  beforeAll(async () => {
    await builtCrawler();
    folder = await mkdtemp(join(tmpdir(), 'muniment-signed-'));
    tsa = hasOpenssl() ? await TestTsa.start() : undefined;
    site = await HeldSite.start({ '/': [] });
    on = await startApp({
      env: {
        CRAWL_DRIVER: 'local',
        ALLOW_PRIVATE_ADDRESSES: 'crawls,timestamps',
        CHROMIUM_PATH: process.env['CHROMIUM_PATH'] ?? '',
        ...(tsa ? { TSA_URL: tsa.url } : {}),
      },
      schedules: true,
      realTime: true,
    });
    api = await on.admin();
    oid = await on.defaultOrgId();
  });
  afterAll(async () => {
    await site?.close();
    if (on) await eventually(async () => expect(await browsersBelow(join(on.dataDir, 'work'))).toEqual([]), BOUND_MS);
    await on?.close();
    await tsa?.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Crawls one page. @returns the item's id and its only file */
  async function crawled(): Promise<{ id: string; path: string; bytes: Buffer }> {
    const config = { seeds: [{ url: `${site.url}/` }], scopeType: 'page', behaviors: '' };
    const made = await api.post(`/orgs/${oid}/crawlconfigs/`, {
      name: 'Signed',
      config,
      browserWindows: 1,
      runNow: true,
    });
    const id = made.body.run_now_job as string;
    await eventually(() => expect(site.waiting).toHaveLength(1), BOUND_MS);
    site.release();
    const finished = async () => expect((await api.get(`/orgs/${oid}/crawls/${id}`)).body.state).toBe('complete');
    await eventually(finished, BOUND_MS, 200);
    const { body } = await api.get(`/orgs/${oid}/crawls/${id}/replay.json`);
    expect(body.resources).toHaveLength(1);
    const bytes = Buffer.from(await (await fetch(new URL(body.resources[0].path, on.baseUrl))).arrayBuffer());
    const path = join(folder, `${id}.wacz`);
    await writeFile(path, bytes);
    return { id, path, bytes };
  }

  const custodyOf = async (id: string) => (await api.get(`/orgs/${oid}/all-crawls/${id}/custody`)).body;
  const keys = async (): Promise<any[]> =>
    ((await (await fetch(`${on.baseUrl}/.well-known/muniment-keys.json`)).json()) as { keys: any[] }).keys;

  it('are signed so that others verify it, and one flipped byte anywhere is refused', async () => {
    const { id, path, bytes } = await crawled();
    expect(await faultsOf(path)).toEqual([]);
    expect(await pagesReplayed([path])).toBeGreaterThan(0);
    const whole = await checkPackage(await inMemory(bytes));
    expect(whole).toMatchObject({ intact: true, problems: [], signature: { valid: true, domain: null } });
    const [key] = await keys();
    expect(key).toMatchObject({ publicKey: whole.signature?.publicKey, retired: null });
    if (hasPython) expect(await verifiedByOthers(path)).toBe(key.publicKey);

    const { members } = new WaczFile(path);
    expect(members.at(-1)?.name).toBe('datapackage-digest.json');
    const parts = ['archive/', 'indexes/', 'pages/', 'datapackage.json', 'datapackage-digest.json'];
    for (const part of parts) {
      const member = members.find(({ name }) => name.startsWith(part));
      if (!member) throw new Error(`no ${part}`);
      const at = bytes.indexOf(member.bytes);
      for (const place of [0, 0.3, 0.5, 0.8]) {
        const spoilt = Buffer.from(bytes);
        const offset = at + Math.floor(member.bytes.length * place);
        spoilt[offset] = (spoilt[offset] ?? 0) ^ 1;
        const { intact, signature } = await checkPackage(await inMemory(spoilt)).catch(() => ({
          intact: false,
          signature: null,
        }));
        expect([member.name, place, intact === true && signature?.valid === true]).toEqual([member.name, place, false]);
        if (!hasPython || place !== 0.5) continue;
        await writeFile(join(folder, 'spoilt.wacz'), spoilt);
        expect(await verifiedByOthers(join(folder, 'spoilt.wacz'))).toBeNull();
      }
    }

    const expected = { by: 'this service', place: 'package', valid: true, keyId: key.id };
    expect((await custodyOf(id)).files).toMatchObject([
      {
        signature: expected,
        software: expect.stringMatching(/^Muniment crawler v\d/),
        browser: expect.stringMatching(/^Chromium \d+\./),
      },
    ]);
    if (tsa) {
      const stamped = await eventually(async () => {
        const [file] = (await custodyOf(id)).files;
        expect(file.timeStamp).toMatchObject({ valid: true, authority: 'Test Time Authority' });
        return file;
      }, BOUND_MS);
      expect(await tsa.verifies(stamped.timeStamp.token, stamped.signature.signature)).toBe(true);
      expect(await tsa.verifies(stamped.timeStamp.token, `${stamped.signature.signature}x`)).toBe(false);
    }
  });

  it('finish while nobody can sign, and are signed beside the file later', async () => {
    const stored = on.connection.collection<{ _id: string; sealed: string }>('signing_keys');
    const key = await stored.findOne({ current: true });
    if (!key) throw new Error('no key');
    const swap = async (from: typeof key, to: typeof key) => {
      await stored.deleteOne({ _id: from._id });
      await stored.insertOne(to);
    };
    // As after a change of PASSWORD_SECRET: there is a key, which nobody can read.
    const unreadable = { ...key, _id: 'f'.repeat(64), sealed: 'AAAA' };
    await swap(key, unreadable);
    const { id, path, bytes } = await crawled();
    expect(await faultsOf(path)).toEqual([]);
    expect(await checkPackage(await inMemory(bytes))).toMatchObject({ intact: true, signature: null });
    await eventually(async () => {
      const [file] = (await custodyOf(id)).files;
      expect(file).toMatchObject({ signature: null, problem: expect.stringContaining('PASSWORD_SECRET') });
    }, BOUND_MS);

    await swap(unreadable, key);
    await on.connection.collection('file_seals').updateMany({ signedData: null }, { $set: { dueAt: new Date(0) } });
    await eventually(async () => {
      const [file] = (await custodyOf(id)).files;
      expect(file.signature).toMatchObject({ by: 'this service', place: 'record', valid: true });
      expect(file.signature.hash).toBe(`sha256:${file.sha256}`);
      expect(file.problem).toBeNull();
    }, BOUND_MS);
  });
});
