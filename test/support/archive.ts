import { newId } from '../../src/common/ids/uuid.js';
import type { Item } from '../../src/items/data/item.schema.js';
import { ItemsRepository } from '../../src/items/data/items.repository.js';
import { JobWorker } from '../../src/jobs/job-worker.js';
import type { NewPage } from '../../src/pages/data/page.schema.js';
import { PagesRepository } from '../../src/pages/data/pages.repository.js';
import { OrgsRepository } from '../../src/orgs/data/orgs.repository.js';
import { Storages } from '../../src/storage/storages.js';
import type { AppUnderTest } from './start-app.js';

export interface ItemOptions extends Partial<Item> {
  /** Bytes of files to store, by the last part of their keys. */
  contents?: Record<string, Buffer>;
}

/** Stores an item, with its objects; a successful crawl unless said otherwise. @returns its id */
export async function anItem(under: AppUnderTest, oid: string, options: ItemOptions = {}): Promise<string> {
  const { contents = {}, ...fields } = options;
  const itemId = fields._id ?? `manual-20260101000000-${newId().slice(0, 12)}`;
  const org = await under.app.get(OrgsRepository, { strict: false }).findById(oid);
  if (!org) throw new Error(`no org ${oid}`);
  const store = under.app.get(Storages, { strict: false }).primaryOf(org);
  const storage = { name: org.storage.name, custom: org.storage.custom ?? false };
  const files: Item['files'] = [];
  for (const [name, bytes] of Object.entries(contents)) {
    const filename = `${oid}/${name}`;
    const { size, sha256 } = await store.put(filename, bytes);
    files.push({ filename, hash: sha256, size, storage, replicas: [] });
  }
  const fileSize = files.reduce((sum, { size }) => sum + size, 0);
  const item = {
    _id: itemId,
    type: 'crawl',
    userid: newId(),
    userName: 'Tester',
    state: 'complete',
    started: under.clock.timestamp(),
    finished: under.clock.timestamp(),
    files,
    fileSize,
    fileCount: files.length,
    version: 2,
    ...fields,
  };
  await under.app.get(ItemsRepository, { strict: false }).insert(oid, item as Omit<Item, 'oid'>);
  return itemId;
}

/** Stores pages of an item; each is `https://example.org/<n>` unless said otherwise. @returns their ids */
export async function somePages(
  under: AppUnderTest,
  oid: string,
  itemId: string,
  pages: Partial<NewPage>[],
): Promise<string[]> {
  const made = pages.map((page, n): NewPage => ({
    _id: newId(),
    crawl_id: itemId,
    url: `https://example.org/${n}`,
    title: `Page ${n}`,
    ts: new Date(Date.UTC(2026, 0, 1, 0, 0, n)),
    status: 200,
    isSeed: n === 0,
    ...page,
  }));
  await under.app.get(PagesRepository, { strict: false }).insertBatch(oid, made);
  return made.map(({ _id }) => _id);
}

/** Runs the background jobs until none is due. */
export const settled = (under: AppUnderTest): Promise<unknown> => under.app.get(JobWorker, { strict: false }).drain();

/** Lets background jobs run out of tries, whenever the first one began: three fail for good. */
export async function givenUp(under: AppUnderTest): Promise<void> {
  for (let tries = 0; tries < 3; tries++) {
    await settled(under);
    under.clock.advance(60_000);
  }
  await settled(under);
}
