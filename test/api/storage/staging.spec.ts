import { Readable } from 'node:stream';
import { minutes } from '../../../src/common/units/durations.js';
import { UnitOfWork } from '../../../src/database/unit-of-work.js';
import { FileRemover } from '../../../src/objects/file-remover.js';
import { FileStaging, StagingLost } from '../../../src/objects/file-staging.js';
import { OrgsRepository } from '../../../src/orgs/data/orgs.repository.js';
import { Storages } from '../../../src/storage/storages.js';
import { expectInvariants } from '../../support/invariants.js';
import { startApp, type AppUnderTest } from '../../support/start-app.js';

describe('a file that is written while its writer is taken for dead', () => {
  let t: AppUnderTest;
  beforeAll(async () => {
    t = await startApp();
  });
  afterAll(() => t?.close());

  it('is refused, and deleted although its deletion was carried out before it was whole', async () => {
    const [staging, remover] = [FileStaging, FileRemover].map((one) => t.app.get(one, { strict: false })) as [
      FileStaging,
      FileRemover,
    ];
    const storage = { name: 'default', custom: false };
    const store = t.app.get(Storages, { strict: false }).resolveDefault(storage);
    const org = await t.app.get(OrgsRepository, { strict: false }).findById(await t.defaultOrgId());
    if (!org) throw new Error('no org');
    const filename = `${org._id}/uploads/late.wacz`;

    // As when a laptop sleeps in the middle of an upload.
    async function* body() {
      yield Buffer.from('the first half, ');
      t.clock.advance(minutes(10));
      expect(await remover.drain()).toBe(1);
      yield Buffer.from('and the second');
    }
    const staged = await staging.put(org, { filename, storage }, Readable.from(body(), { objectMode: false }));
    expect((await store.list('')).objects.map(({ key }) => key)).toEqual([filename]);

    const kept = t.app.get(UnitOfWork, { strict: false }).run((tx) => staging.keep([staged], tx));
    await expect(kept).rejects.toThrow(StagingLost);
    await expectInvariants(t);
    expect((await store.list('')).objects).toEqual([]);
    expect(await t.connection.collection('file_deletions').countDocuments()).toBe(0);
  });
});
