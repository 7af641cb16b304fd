import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Clock } from '../common/clock/clock.js';
import { loadConfig } from '../config/load-config.js';
import type { CustomStorage } from '../orgs/data/org.schema.js';
import { DefaultStorages } from './default-storages.js';
import { LocalObjectStore } from './local/local-object-store.js';
import { PresignedFiles } from './presigned-files.js';
import { UrlSigner } from './sigv4.js';
import { Storages } from './storages.js';

class FixedClock extends Clock {
  constructor(public moment: Date) {
    super();
  }
  now(): Date {
    return this.moment;
  }
}

const custom: CustomStorage = {
  type: 's3',
  endpoint_url: 'https://s3.example/bucket/',
  endpoint_no_bucket_url: 'https://s3.example/',
  access_key: 'a',
  secret_key: 's',
  access_endpoint_url: 'https://cdn.example/',
  access_addressing_style: 'virtual',
  region: '',
};
const org = {
  _id: 'oid',
  storage: { name: 'default', custom: false },
  customStorages: { own: custom },
};
const file = (name: string, more: object = {}) => ({
  filename: `oid/uploads/${name}`,
  hash: 'h',
  size: 5,
  storage: { name: 'default', custom: false },
  replicas: [],
  ...more,
});

describe('PresignedFiles', () => {
  let dataDir: string;
  let clock: FixedClock;
  let files: PresignedFiles;

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'muniment-presign-'));
    clock = new FixedClock(new Date('2025-01-02T03:04:05Z'));
    const signer = new UrlSigner({ accessKey: 'muniment', secretKey: 's', region: 'local' });
    const local = new LocalObjectStore({ root: dataDir, signer, publicPath: '/data/', reserveBytes: 0 });
    const config = loadConfig({ DATA_DIR: dataDir });
    const storages = new Storages(DefaultStorages.load('', '/data/'), local, config);
    files = new PresignedFiles(storages, config, clock);
  });
  afterEach(() => rmSync(dataDir, { recursive: true }));

  it('lists files in item and file order with their expiry', () => {
    const resources = files.resources(org, [
      { itemId: 'i1', files: [file('b.wacz', { replicas: [org.storage] }), file('a.wacz')] },
      { itemId: 'i2', files: [file('c.wacz')], fromDependency: true },
    ]);
    expect(resources.map((r) => [r.name, r.crawlId, r.numReplicas, r.fromDependency])).toEqual([
      ['b.wacz', 'i1', 1, false],
      ['a.wacz', 'i1', 0, false],
      ['c.wacz', 'i2', 0, true],
    ]);
    const [first] = resources;
    expect(first).toMatchObject({ hash: 'h', size: 5 });
    expect(first?.path).toMatch(/^\/data\/oid\/uploads\/b\.wacz\?X-Amz-Algorithm=AWS4-HMAC-SHA256&/);
    expect(Object.keys(first ?? {}).sort()).toEqual(
      ['crawlId', 'expireAt', 'fromDependency', 'hash', 'name', 'numReplicas', 'path', 'size'].sort(),
    );
  });

  it('tells the moment at which the URL really dies', () => {
    const { url, expireAt } = files.sign(org, file('a.wacz'));
    const query = new URLSearchParams(url.slice(url.indexOf('?')));
    const date = (query.get('X-Amz-Date') ?? '').replace(/(....)(..)(..)T(..)(..)(..)Z/, '$1-$2-$3T$4:$5:$6Z');
    expect(Number(query.get('X-Amz-Expires'))).toBe(604_740);
    expect(expireAt.getTime()).toBe(Date.parse(date) + 604_740_000);
    expect(files.resources(org, [{ itemId: null, files: [file('a.wacz')] }])[0]?.expireAt).toBe(
      expireAt.toISOString().replace('.000Z', 'Z'),
    );
  });

  it('repeats the URL within its window, and changes it when the org had its URLs withdrawn', () => {
    const before = files.sign(org, file('a.wacz')).url;
    clock.moment = new Date(clock.moment.getTime() + 1000);
    expect(files.sign(org, file('a.wacz')).url).toBe(before);
    const presignedClearedAt = new Date(clock.moment.getTime() + 1000);
    expect(files.sign({ ...org, presignedClearedAt }, file('a.wacz')).url).not.toBe(before);
  });

  it('signs afresh, on demand, a URL with its whole life before it', () => {
    const shown = (life: 'whole' | 'shared') =>
      files.resources(org, [{ itemId: null, files: [file('a.wacz')] }], life)[0];
    const expected = new Date(clock.moment.getTime() + 604_740_000).toISOString().replace('.000Z', 'Z');
    expect(shown('whole')?.expireAt).toBe(expected);
    expect(shown('shared')?.expireAt).not.toBe(expected);
    expect(shown('whole')?.path).not.toBe(shown('shared')?.path);
  });

  it("signs for the org's own storage and its access endpoint", () => {
    const own = file('a.wacz', { filename: 'uploads/a.wacz', storage: { name: 'own', custom: true } });
    expect(files.sign(org, own).url).toMatch(/^https:\/\/cdn\.example\/uploads\/a\.wacz\?/);
    expect(files.signInternal(org, own).url).toMatch(/^https:\/\/s3\.example\/bucket\/uploads\/a\.wacz\?/);
  });

  it('completes relative URLs with an origin and leaves absolute ones alone', () => {
    expect(files.absoluteUrl(org, file('a.wacz'), 'https://x')).toMatch(/^https:\/\/x\/data\/oid\//);
    const own = file('a.wacz', { storage: { name: 'own', custom: true } });
    expect(files.absoluteUrl(org, own, 'https://x')).toMatch(/^https:\/\/cdn\.example\//);
  });

  it('still lists a file whose storage is gone, without a link', () => {
    const lost = file('a.wacz', { storage: { name: 'gone', custom: false } });
    const [resource, other] = files.resources(org, [{ itemId: 'i', files: [lost, file('b.wacz')] }]);
    expect(resource).toMatchObject({ name: 'a.wacz', path: '', expireAt: null });
    expect(other?.path).toContain('/data/');
  });
});
