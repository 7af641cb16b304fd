import { newId } from '../../../src/common/ids/uuid.js';
import { days } from '../../../src/common/units/durations.js';
import { uuid } from '../../../src/database/uuid-codec.js';
import { DomainEvents } from '../../../src/events/domain-events.js';
import { FileRemover } from '../../../src/objects/file-remover.js';
import { Fixity } from '../../../src/objects/fixity.js';
import { ItemDeleter } from '../../../src/items/deletion/item-deleter.js';
import { ResumableUploads } from '../../../src/uploads/tus/resumable-uploads.js';
import { WorkflowScheduler } from '../../../src/workflows/running/workflow-scheduler.js';
import { anItem, givenUp } from '../../support/archive.js';
import { violations } from '../../support/invariants.js';
import { anOrg } from '../../support/people.js';
import { type AppUnderTest, startApp } from '../../support/start-app.js';

let on: AppUnderTest;
let oid: string;

beforeAll(async () => {
  on = await startApp();
  oid = await anOrg(on);
});
afterAll(() => on.close());

const all = (name: string) => on.connection.collection(name);
const put = (name: string, document: object) => all(name).insertOne({ oid: uuid(oid), ...document } as never);
const find = (name: string, id: unknown) => all(name).findOne({ _id: id as never });
const get = <T>(type: new (...args: never[]) => T): T => on.app.get(type, { strict: false });
const long = () => new Date(on.clock.nowMs() - days(1));
/** A file whose storage is no name, which no schema takes. */
const BAD_FILE = { filename: 'x', hash: '', size: 1, storage: { name: { $bad: 1 }, custom: false }, replicas: [] };
const run = (name: string, fields: object = {}) => ({
  ...{ _id: name, type: 'crawl', state: 'complete', started: long(), finished: long() },
  ...fields,
});

describe('one record that a worker cannot deal with', () => {
  it('stops no other deletion of items, and is reported once it was tried often enough', async () => {
    await put('crawls', run('a-poison', { deleted: true, files: [BAD_FILE] }));
    const good = await anItem(on, oid, { _id: 'z-good', deleted: true });
    await get(ItemDeleter).recover(1);
    await get(ItemDeleter).recover(1);
    expect(await find('crawls', good)).toBeNull();
    expect(await find('crawls', 'a-poison')).not.toBeNull();

    for (let tries = 0; tries < 20; tries++) {
      on.clock.advance(days(1));
      await get(ItemDeleter).recover();
    }
    on.clock.advance(days(1));
    expect(await get(ItemDeleter).recover()).toBe(0);
    const found = await violations(on);
    await all('crawls').deleteMany({});
    expect(found).toContainEqual(expect.objectContaining({ subject: 'deletion', oid, id: 'a-poison' }));
  });

  it('stops no other deletion of files, and is reported once it was tried often enough', async () => {
    const planned = { created: long(), attempts: 1, leaseUntil: long() };
    const [poison, good] = [uuid(newId()), uuid(newId())];
    await put('file_deletions', { _id: poison, ...planned, leaseUntil: new Date(0), files: [null] });
    await put('file_deletions', { _id: good, ...planned, files: [] });
    await get(FileRemover).drain();
    expect(await find('file_deletions', good)).toBeNull();

    for (let tries = 0; tries < 40; tries++) {
      on.clock.advance(days(1));
      await get(FileRemover).drain();
    }
    on.clock.advance(days(1));
    expect(await get(FileRemover).drain()).toBe(0);
    const found = await violations(on);
    await all('file_deletions').deleteMany({});
    expect(found).toContainEqual(expect.objectContaining({ subject: 'deletion', oid, id: String(poison) }));
  });

  it('stops no other schedule', async () => {
    const [poison, good] = [uuid(newId()), uuid(newId())];
    const due = { created: long(), config: { seeds: [] }, inactive: false };
    await put('crawl_configs', { _id: poison, ...due, schedule: 5, nextRun: new Date(0) });
    await put('crawl_configs', { _id: good, ...due, schedule: '0 0 * * *', nextRun: long() });
    await get(WorkflowScheduler).drain();
    // Nobody registered it.
    expect((await find('crawl_configs', good))?.['skippedFiring']).toMatchObject({ reason: 'user_gone' });
    expect(await find('crawl_configs', poison)).toMatchObject({
      nextRun: null,
      skippedFiring: { reason: 'schedule_unreadable' },
    });
    // Nor the start of the service.
    await get(WorkflowScheduler).reschedule(false);
    await all('crawl_configs').deleteMany({});
  });

  it('stops no other fixity check, and counts as not intact', async () => {
    await put('crawls', run('a-poison', { fileCount: 1, files: [{ ...BAD_FILE, storage: null }] }));
    const good = await anItem(on, oid, { _id: 'z-good', contents: { 'a.wacz': Buffer.from('a') } });
    const results: Record<string, string> = {};
    for await (const { id, result } of get(Fixity).verifySince(oid, on.clock.now())) results[id] = result;
    await all('crawls').deleteMany({});
    expect(results).toEqual({ 'a-poison': 'unreachable', [good]: 'ok' });
  });

  it('stops no other sweep of uploads that nobody went on with', async () => {
    const [poison, good] = [uuid(newId()), uuid(newId())];
    const open = { userid: uuid(newId()), userName: 'x', metadata: {}, size: 5, offset: 1, itemId: null };
    await put('resumable_uploads', { _id: poison, ...open, pieces: [BAD_FILE], expires: new Date(0) });
    await put('resumable_uploads', { _id: good, ...open, pieces: [], expires: long() });
    await get(ResumableUploads).sweep();
    expect(await find('resumable_uploads', good)).toBeNull();
    expect(await get(ResumableUploads).sweep()).toBe(0);
    await all('resumable_uploads').deleteMany({});
  });

  it('stops no other event', async () => {
    const [poison, good] = [uuid(newId()), uuid(newId())];
    const told = { type: 'crawl.reviewed', payload: {}, created: long(), attempts: 0, subject: null };
    await put('domain_events', { _id: poison, ...told, pending: null, leaseUntil: new Date(0) });
    await put('domain_events', { _id: good, ...told, pending: [], leaseUntil: long() });
    await get(DomainEvents).drain();
    expect(await find('domain_events', good)).toBeNull();
    expect((await find('domain_events', poison))?.['leaseUntil'].getTime()).toBeGreaterThan(on.clock.nowMs());
    await all('domain_events').deleteMany({});
  });

  it('does not keep a job going whose clean-up fails too', async () => {
    const plan = { dueAt: long(), leaseUntil: new Date(0), tries: 0, again: false };
    const copy = { file_path: 'x', object_type: 'crawl', object_id: 'gone', replica_storage: BAD_FILE.storage };
    const id = 'create-replica-poison';
    await put('jobs', {
      _id: id,
      type: 'create-replica',
      ...copy,
      started: long(),
      finished: null,
      success: null,
      plan,
    });
    await givenUp(on);
    expect(await find('jobs', id)).toMatchObject({ success: false, plan: null });
  });
});
