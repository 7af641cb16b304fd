import type { Model } from 'mongoose';
import { COLLECTION_FILES, Collection, CollectionSchema } from '../../../src/collections/data/collection.schema.js';
import { newId } from '../../../src/common/ids/uuid.js';
import { uuid } from '../../../src/database/uuid-codec.js';
import { SEED_FILES, SeedFile, SeedFileSchema } from '../../../src/files/data/seed-file.schema.js';
import { FIXITY_KINDS, FileOwner } from '../../../src/objects/data/file-owner.js';
import { FileOwners } from '../../../src/objects/data/file-owners.js';
import { ITEM_FILES } from '../../../src/items/data/item-files.js';
import { KEPT_ITEM_FILES, KeptItem, KeptItemSchema } from '../../../src/items/data/kept-item.schema.js';
import { Item, ItemSchema } from '../../../src/items/data/item.schema.js';
import {
  BrowserProfile,
  BrowserProfileSchema,
  PROFILE_FILES,
} from '../../../src/profiles/data/browser-profile.schema.js';
import { WatchedDatabase } from '../../support/watched-database.js';

const NOW = new Date(Date.UTC(2026, 0, 10));
const EARLIER = (n: number): Date => new Date(Date.UTC(2026, 0, 1) + n * 1000);

describe('records whose files are due', () => {
  let database: WatchedDatabase;
  const owners = new FileOwners();
  const [oid, otherOid] = [newId(), newId()];
  /** Ids of the due records by kind, in the order in which they are due. */
  const expected: Record<string, string[]> = {};

  beforeAll(async () => {
    database = await WatchedDatabase.open();
    const models = {
      item: await database.model<Item>(Item.name, ItemSchema),
      keptItem: await database.model<KeptItem>(KeptItem.name, KeptItemSchema),
      profile: await database.model<BrowserProfile>(BrowserProfile.name, BrowserProfileSchema),
      seedFile: await database.model<SeedFile>(SeedFile.name, SeedFileSchema),
      collection: await database.model<Collection>(Collection.name, CollectionSchema),
    };
    const small = { profile: PROFILE_FILES, seedFile: SEED_FILES, collection: COLLECTION_FILES };
    const fields = { ...small, item: ITEM_FILES, keptItem: KEPT_ITEM_FILES };
    for (const kind of FIXITY_KINDS) owners.add(new FileOwner(models[kind] as unknown as Model<never>, fields[kind]));
    const file = { filename: 'a', hash: '', size: 1, storage: { name: 'default', custom: false } };
    const common = { resource: file, thumbnail: file, files: [file], fileCount: 1, ...file };
    for (const kind of FIXITY_KINDS) {
      const docs = Array.from({ length: 40 }, (_, n) => {
        const id = kind === 'item' || kind === 'keptItem' ? `manual-${n}` : uuid(newId());
        const isOther = n % 10 !== 0;
        // Verified records and those of another org are not due. A record that was never verified comes first.
        const fixity = n === 20 ? null : { lastVerified: n === 30 ? NOW : EARLIER(100 - n), result: 'ok' };
        return { ...common, _id: id, oid: uuid(isOther ? otherOid : oid), name: `${n}`, slug: `${n}`, fixity };
      });
      await (models[kind] as unknown as Model<object>).collection.insertMany(docs as never[]);
      expected[kind] = [20, 10, 0].map((n) => String(docs[n]?._id));
    }
  });
  afterAll(() => database?.close());

  it.each(FIXITY_KINDS)('are found for an org without a look at those of others: %s', async (kind) => {
    let found: string[] = [];
    const [read] = await database.explain(async () => {
      found = (await owners.of(kind).findDue(oid, NOW, 100)).map(({ id }) => id);
    });
    expect(found).toEqual(expected[kind]);
    // A seed file always has a file, so the index alone answers.
    expect(read).toMatchObject({ docsExamined: kind === 'seedFile' ? 0 : found.length, sorted: 0 });
  });

  it.each(FIXITY_KINDS)('are found for all orgs, those of longest ago first: %s', async (kind) => {
    const due = await owners.of(kind).findDue(null, NOW, 5);
    expect(due).toHaveLength(5);
    expect(due[0]?.id).toBe(expected[kind]?.[0]);
    expect(due.map(({ oid: of }) => of)).toContain(otherOid);
  });
});
