import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RequiredWacz } from '../../../formats/wacz/wacz-writer.js';
import { baseName } from '../../../src/common/text/base-name.js';
import { newId } from '../../../src/common/ids/uuid.js';
import { ArchiveChecks } from '../../../src/invariants/archive-checks.js';
import type { Violation } from '../../../src/invariants/violation.js';
import type { Item } from '../../../src/items/data/item.schema.js';
import type { ApiClient } from '../../support/api-client.js';
import { anItem, settled } from '../../support/archive.js';
import { cli } from '../../support/cli.js';
import { indexedWacz, revisit, type Capture } from '../../support/indexed-wacz.js';
import { recovered } from '../../support/invariants.js';
import { type AppUnderTest, startApp } from '../../support/start-app.js';

describe('the check of what archives refer to', () => {
  let on: AppUnderTest;
  let api: ApiClient;
  let oid: string;
  let serial = 0;

  beforeAll(async () => {
    on = await startApp();
    api = await on.admin();
    oid = await on.defaultOrgId();
  });
  afterEach(async () => {
    for (const name of ['crawls', 'retained_items']) await on.connection.collection(name).deleteMany({});
  });
  afterAll(() => on.close());

  const items = () => on.connection.collection<Item>('crawls');
  const pathOf = (filename: string) => join(on.dataDir, 'storage', filename);
  const found = async (options: { mostDigests?: number } = {}): Promise<Violation[]> => {
    const all: Violation[] = [];
    await on.app.get(ArchiveChecks, { strict: false }).check((violation) => all.push(violation), options);
    return all;
  };

  /** Stores an item with one WACZ for each list of captures. */
  async function crawlOf(
    archives: Capture[][],
    { requires = [], ...fields }: Partial<Item> & { requires?: RequiredWacz[] } = {},
  ): Promise<Item> {
    const _id = `manual-20260101000000-a${String((serial += 1))}`;
    const waczs = await Promise.all(archives.map((captures) => indexedWacz(captures, undefined, requires)));
    const contents = Object.fromEntries(waczs.map((wacz, n) => [`${_id}-${String(n)}.wacz`, wacz]));
    await anItem(on, oid, { _id, contents, ...fields });
    return (await items().findOne({ _id }))!;
  }
  const nameOf = (item: Item, n = 0): RequiredWacz => {
    const { filename, hash, size } = item.files[n]!;
    return { filename: baseName(filename), hash, size, crawlId: item._id };
  };
  /** A crawl that refers to two bodies of an item, which knows of it as the end of a crawl says. */
  async function dependentOn(original: Item, requires = [nameOf(original)], fields: Partial<Item> = {}): Promise<Item> {
    const captures = [revisit('https://a.example/1', 'one'), revisit('https://a.example/2', 'two')];
    const made = await crawlOf([captures], { requires, requiresCrawls: [original._id], ...fields });
    await items().updateOne({ _id: original._id }, { $addToSet: { requiredByCrawls: made._id } });
    return made;
  }
  const anOriginal = () =>
    crawlOf([[{ url: 'https://a.example/1', body: 'one' }], [{ url: 'https://a.example/2', body: 'two' }]]);
  const lacking = (id: string, urls: string, stored = 2) => ({
    ...{ subject: 'item', oid, id, stored, expected: 0 },
    field: `revisits whose original is in no archive that can be reached, such as ${urls}:`,
  });
  const BOTH = 'https://a.example/1 https://a.example/2';

  it('finds nothing wrong where each original is in an archive of the item or of what it requires', async () => {
    const original = await anOriginal();
    // One archive is named; of the other the database knows.
    await dependentOn(original);
    const small = { url: 'https://a.example/gone', body: 'gone', size: 90, fields: { status: '404' } };
    const sha1 = { fields: { digest: 'sha1:ABCDEFGHIJKLMNOPQRSTUVWXYZ234567' } };
    const again = { fields: { ...sha1.fields, mime: 'warc/revisit' } };
    await crawlOf(
      [
        [revisit('https://a.example/also', 'gone'), { url: 'https://a.example/x', ...sha1 }],
        [small, { url: 'https://a.example/y', ...again }],
      ],
      { dedupeCollId: newId() },
    );
    expect(await found()).toEqual([]);
    expect(await found({ mostDigests: 1 })).toEqual([]);
  });

  it('tells revisits whose original is nowhere, however its digests are divided', async () => {
    const bodies = Array.from({ length: 300 }, (_, n) => String(n));
    const original = await crawlOf([bodies.slice(5).map((body) => ({ url: `https://a.example/${body}`, body }))]);
    const refers = bodies.flatMap((body) => [
      revisit(`https://a.example/${body}`, body),
      revisit(`https://b.example/${body}`, body),
    ]);
    const { _id } = await crawlOf([refers], { requires: [nameOf(original)], requiresCrawls: [original._id] });
    const first = 'https://a.example/0 https://a.example/1 https://a.example/2';
    expect(await found()).toEqual([lacking(_id, first, 10)]);
    const shares = await found({ mostDigests: 20 });
    expect(shares.length).toBeGreaterThan(1);
    expect(shares.reduce((sum, { stored }) => sum + Number(stored), 0)).toBe(10);
  });

  it('tells a required archive that is gone, with the revisits that break', async () => {
    const original = await anOriginal();
    const { _id } = await dependentOn(original);
    await items().deleteOne({ _id: original._id });
    const { filename } = nameOf(original);
    const field = `${_id}-0.wacz: required archive ${filename} of ${original._id}`;
    expect(await found()).toEqual([
      { subject: 'item', oid, id: _id, field, stored: null, expected: 'a file of an item or a kept one' },
      lacking(_id, BOTH),
    ]);
  });

  it('tells a required archive of another size or hash than was named', async () => {
    const original = await anOriginal();
    const named = nameOf(original, 0);
    const other = { ...nameOf(original, 1), hash: '0'.repeat(64) };
    const { _id } = await dependentOn(original, [{ ...named, size: 1 }, other]);
    const field = (name: string, what: string) => `${_id}-0.wacz: required archive ${name} of ${original._id}: ${what}`;
    const of = { subject: 'item', oid, id: _id };
    expect(await found()).toEqual([
      { ...of, field: field(named.filename, 'size'), stored: named.size, expected: 1 },
      { ...of, field: field(other.filename, 'hash'), stored: nameOf(original, 1).hash, expected: other.hash },
    ]);
  });

  it('tells a requirement that the database does not know', async () => {
    const original = await anOriginal();
    const both = [nameOf(original, 0), nameOf(original, 1)];
    const { _id } = await dependentOn(original, both, { requiresCrawls: [], dedupeCollId: newId() });
    const field = `${_id}-0.wacz: requiresCrawls has ${original._id}`;
    expect(await found()).toEqual([{ subject: 'item', oid, id: _id, field, stored: false, expected: true }]);
  });

  it('finds originals in what is kept of a deleted item, and leaves alone what was taken down', async () => {
    const original = await anOriginal();
    await dependentOn(original);
    const remove = async (fields = {}) => {
      const { status } = await api.post(`/orgs/${oid}/all-crawls/delete`, { crawl_ids: [original._id], ...fields });
      expect(status).toBe(200);
      await settled(on);
      await recovered(on);
    };
    await remove();
    expect(await on.connection.collection('retained_items').countDocuments()).toBe(1);
    expect(await found()).toEqual([]);
    await remove({ retain: false });
    expect(await found()).toEqual([]);
  });

  it('says what to do with an archive that cannot be read, and nothing of what refers to it', async () => {
    const original = await anOriginal();
    const dependents = [await dependentOn(original), await dependentOn(original)];
    const { filename } = original.files[0]!;
    const bytes = await readFile(pathOf(filename));
    await truncate(pathOf(filename), 100);
    const unreadable = (id: string) => ({
      ...{ subject: 'file', oid, id, field: 'archive', expected: 'readable' },
      stored: expect.stringMatching(/^unreadable \(.+\), so items that refer to it were not checked.*fixity/),
    });
    expect(await found()).toEqual([unreadable(filename)]);
    await writeFile(pathOf(filename), bytes);
    const own = dependents[0]!.files[0]!.filename;
    await truncate(pathOf(own), 100);
    expect(await found()).toEqual([unreadable(own)]);
  });

  it('leaves crawls alone that still run', async () => {
    const original = await anOriginal();
    const { _id } = await dependentOn(original, [nameOf(original)], { state: 'running', finished: null });
    await items().deleteOne({ _id: original._id });
    expect(await found()).toEqual([]);
    await items().updateOne({ _id }, { $set: { state: 'complete' } });
    expect(await found()).toHaveLength(2);
  });

  it('is what the command does with --archives', async () => {
    await dependentOn(await anOriginal());
    await api.post(`/orgs/${oid}/recalculate-storage`);
    await settled(on);
    const variables = { DATA_DIR: on.dataDir, MONGO_DB_NAME: on.connection.name, CRAWL_DRIVER: 'fake' };
    const { printed, complained } = await cli(['check', '--archives'], variables);
    // Earlier tests left objects without records.
    expect(complained).not.toContain('        item ');
    expect(printed + complained).toContain(', 3 indexes of archives read (4 lines)');
    expect((await cli(['check', '--archives', '--quick'], variables)).code).toBe(2);
  });
});
