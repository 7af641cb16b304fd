import { Logger } from '@nestjs/common';
import { jest } from '@jest/globals';
import type { Model } from 'mongoose';
import { Schema } from 'mongoose';
import { seconds } from '../../../src/common/units/durations.js';
import { LeasedWorker, type ClaimedWork } from '../../../src/database/leased-worker.js';
import { FREE_LEASE, Leases, type Held, type LeaseTerms } from '../../../src/database/leases.js';
import { eventually } from '../../support/eventually.js';
import { TestClock } from '../../support/test-clock.js';
import { WatchedDatabase } from '../../support/watched-database.js';

interface Task {
  _id: string;
  dueAt: Date;
  leaseUntil: Date;
  leaseId: string | null;
  isWanted?: boolean;
  tries: number;
}

const task = new Schema({
  _id: String,
  dueAt: Date,
  leaseUntil: Date,
  leaseId: String,
  isWanted: Boolean,
  tries: Number,
});
task.set('collection', 'tasks');
task.index({ dueAt: 1, leaseUntil: 1 });

const LENGTH_MS = seconds(10);
const BY_END: LeaseTerms = { until: 'leaseUntil', due: 'dueAt', wanted: 'isWanted', lengthMs: LENGTH_MS, beatMs: 20 };
const BY_HOLDER: LeaseTerms = { ...BY_END, holder: 'leaseId' };

let database: WatchedDatabase;
let tasks: Model<Task>;
let clock: TestClock;

beforeAll(async () => {
  database = await WatchedDatabase.open();
  tasks = await database.model<Task>('Task', task);
});
afterAll(() => database?.close());
beforeEach(async () => {
  clock = new TestClock();
  await tasks.deleteMany({});
});

const agoMs = (ms: number): Date => new Date(clock.nowMs() - ms);
const add = (...ids: string[]) =>
  tasks.insertMany(
    ids.map((_id, n) => ({ _id, dueAt: agoMs(1000 - n), leaseUntil: FREE_LEASE, leaseId: null, tries: 0 })),
  );
const stored = async (id: string): Promise<Task> => (await tasks.findById(id).lean()) as Task;

describe.each([
  ['with the id of its holder', BY_HOLDER],
  ['that its end proves', BY_END],
])('a lease %s', (_kind, terms) => {
  /** As of one process; its heartbeat is its own. */
  const aProcess = () => new Leases(tasks, terms, clock);
  let here: Leases<Task>;
  let there: Leases<Task>;
  beforeEach(() => ([here, there] = [aProcess(), aProcess()]));

  const claimed = async (by: Leases<Task>): Promise<Held<Task>> => {
    const held = await by.claimNext({ set: { tries: { $add: ['$tries', 1] } } });
    if (!held) throw new Error('nothing was due');
    return held;
  };
  const isProved = async (by: Leases<Task>, { lease }: Held<Task>) =>
    (await tasks.updateOne(by.proof(lease), { $inc: { tries: 100 } })).matchedCount === 1;

  it('goes to one of many that ask at once, and the longest due goes first', async () => {
    await add('a', 'b', 'c');
    expect((await claimed(here)).record).toMatchObject({ _id: 'a', tries: 1 });
    const found = await Promise.all(Array.from({ length: 8 }, (_, n) => (n % 2 ? here : there).claimNext()));
    expect(found.flatMap((held) => held?.record._id ?? []).sort()).toEqual(['b', 'c']);
  });

  it('is not given before the record is due', async () => {
    await add('a');
    await tasks.updateOne({}, { $set: { dueAt: new Date(clock.nowMs() + 1) } });
    expect(await here.claimNext()).toBeNull();
    clock.advance(1);
    expect(await here.claimNext()).not.toBeNull();
  });

  it('is over at its end and not before, which a renewal moves', async () => {
    await add('a');
    const held = await claimed(here);
    clock.advance(LENGTH_MS - 1);
    expect(await there.claimNext()).toBeNull();
    expect(await there.claimOne('a')).toBeNull();
    expect(await here.renew(held.lease)).toBe(true);
    clock.advance(LENGTH_MS - 1);
    expect(await there.claimNext()).toBeNull();
    clock.advance(1);
    expect((await there.claimNext())?.record._id).toBe('a');
  });

  it('proves nothing any more once it was taken over, whatever became of the record', async () => {
    await add('a');
    const stalled = await claimed(here);
    expect(await isProved(here, stalled)).toBe(true);
    clock.advance(LENGTH_MS);
    const next = await claimed(there);
    const refused = async (): Promise<void> => {
      const before = await stored('a');
      expect(await isProved(here, stalled)).toBe(false);
      await here.giveBack([stalled.lease], FREE_LEASE, { $set: { tries: -1 } });
      expect(await stored('a')).toEqual(before);
    };
    await refused();
    expect(await here.renew(stalled.lease)).toBe(false);
    expect(stalled.lease.lost.aborted).toBe(true);
    await refused();
    await there.giveBack([next.lease]);
    await refused();
    expect(await stored('a')).toMatchObject({ leaseUntil: FREE_LEASE, leaseId: null });
  });

  it('that is over can be renewed as long as nobody took it', async () => {
    await add('a');
    const held = await claimed(here);
    clock.advance(LENGTH_MS * 3);
    expect(await here.renew(held.lease)).toBe(true);
    expect(await isProved(here, held)).toBe(true);
    expect(await there.claimNext()).toBeNull();
  });

  it.each([
    ['came through', true],
    ['did not come through', false],
  ])('proves what it did when nobody knows of a renewal, which %s', async (_how, came) => {
    await add('a');
    const held = await claimed(here);
    clock.advance(1000);
    const update = tasks.updateMany.bind(tasks) as (...args: unknown[]) => { exec(): Promise<unknown> };
    jest.spyOn(tasks, 'updateMany').mockImplementationOnce(((...args: unknown[]) => ({
      exec: async () => {
        if (came) await update(...args).exec();
        throw new Error('the wire was cut');
      },
    })) as never);
    await expect(here.renew(held.lease)).rejects.toThrow('cut');
    expect(await isProved(here, held)).toBe(true);
    clock.advance(1000);
    expect(await here.renew(held.lease)).toBe(true);
    expect((await stored('a')).leaseUntil.getTime()).toBe(clock.nowMs() + LENGTH_MS);
  });

  it('that is kept is renewed until it is let go, and whoever lost his is told', async () => {
    await add('a', 'b');
    const [kept, lost] = [await claimed(here), await claimed(here)];
    for (const { lease } of [kept, lost]) here.keep(lease);
    const taken = { leaseUntil: new Date(clock.nowMs() + seconds(60)), leaseId: 'somebody' };
    await tasks.updateOne({ _id: 'b' }, { $set: taken });
    await eventually(() => expect(lost.lease.lost.aborted).toBe(true));
    expect(kept.lease.lost.aborted).toBe(false);
    expect([kept, lost].map(({ lease }) => lease.isLost)).toEqual([false, true]);
    clock.advance(LENGTH_MS - 1);
    await eventually(async () => expect((await stored('a')).leaseUntil.getTime()).toBe(clock.nowMs() + LENGTH_MS));
    here.letGo(kept.lease);
    expect(await stored('b')).toMatchObject(taken);
  });

  it('tells its holder that somebody waits for the record, or has it', async () => {
    await add('a', 'b', 'c');
    const [asked, kept, lost] = [await claimed(here), await claimed(here), await claimed(here)];
    for (const { lease } of [asked, kept, lost]) here.keep(lease);
    await there.ask('a');
    await tasks.updateOne({ _id: 'c' }, { $set: { leaseUntil: FREE_LEASE, leaseId: null } });
    await eventually(() => expect([asked, lost].map(({ lease }) => lease.wanted.aborted)).toEqual([true, true]));
    expect([asked, kept].map(({ lease }) => lease.lost.aborted)).toEqual([false, false]);
    expect(kept.lease.wanted.aborted).toBe(false);
    for (const { lease } of [asked, kept]) here.letGo(lease);
    await here.giveBack([asked.lease]);
    expect(await stored('a')).toMatchObject({ isWanted: false });
    await there.ask('a');
    await there.claimOne('a');
    expect(await stored('a')).toMatchObject({ isWanted: false });
  });

  it('of a record that the same process claims again is lost', async () => {
    await add('a');
    const first = await claimed(here);
    here.keep(first.lease);
    await tasks.updateOne({}, { $set: { leaseUntil: FREE_LEASE, leaseId: null } });
    clock.advance(1);
    const second = await claimed(here);
    here.keep(second.lease);
    expect([first.lease.lost.aborted, second.lease.lost.aborted]).toEqual([true, false]);
    expect([await isProved(here, first), await isProved(here, second)]).toEqual([false, true]);
    here.letGo(first.lease);
    clock.advance(LENGTH_MS - 1);
    await eventually(async () => expect((await stored('a')).leaseUntil.getTime()).toBe(clock.nowMs() + LENGTH_MS));
    here.letGo(second.lease);
  });

  it('is given back for now or for later, with other changes', async () => {
    await add('a');
    const held = await claimed(here);
    const later = new Date(clock.nowMs() + 5000);
    await here.giveBack([held.lease], later, { $inc: { tries: -1 } });
    expect(await stored('a')).toMatchObject({ dueAt: later, leaseUntil: FREE_LEASE, leaseId: null, tries: 0 });
    expect(await there.claimNext()).toBeNull();
    const again = await there.claimOne('a');
    await there.giveBack(again ? [again.lease] : []);
    clock.advance(5000);
    expect(await there.claimNext()).not.toBeNull();
  });

  it('is looked for in an index', async () => {
    await add(...Array.from({ length: 300 }, (_, n) => `task-${n}`));
    const [plan] = await database.explain(() => here.claimNext());
    expect(plan?.indexes).toEqual(['dueAt_1_leaseUntil_1']);
    expect([plan?.sorted, plan?.docsExamined]).toEqual([0, 1]);
  });
});

describe('several leases at once', () => {
  it('go to one of two processes each, the longest due first', async () => {
    const [here, there] = [new Leases(tasks, BY_HOLDER, clock), new Leases(tasks, BY_HOLDER, clock)];
    const ids = Array.from({ length: 40 }, (_, n) => `task-${String(n).padStart(2, '0')}`);
    await add(...ids);
    const claims = await Promise.all([here, there, here, there].map((one) => one.claimDue(10)));
    const won = claims.flatMap(({ held }) => held.map(({ record }) => record._id));
    expect(new Set(won).size).toBe(won.length);
    for (const { held, found } of claims) {
      const order = held.map(({ record }) => record._id);
      expect([order, found]).toEqual([[...order].sort(), 10]);
    }
    expect(won).toContain('task-00');
  });
});

describe('a worker under lease', () => {
  class Worker extends LeasedWorker<Held<Task>> {
    readonly begun: string[] = [];
    most = 0;
    behave: (held: Held<Task>, stopping: AbortSignal) => Promise<void> = () => Promise.resolve();

    constructor(
      readonly leases: Leases<Task>,
      private readonly atOnce: number,
      graceMs = 0,
    ) {
      super(leases, new Logger('test'), graceMs);
    }

    protected async claim(): Promise<ClaimedWork<Held<Task>>> {
      const room = this.atOnce - this.underWay.length;
      const { held, found } = room > 0 ? await this.leases.claimDue(room) : { held: [], found: 0 };
      return { held, more: found > 0 };
    }

    protected async work(held: Held<Task>): Promise<void> {
      this.begun.push(held.record._id);
      await this.behave(held, this.stopping);
      this.most = Math.max(this.most, this.underWay.length);
      await tasks.deleteOne(this.leases.proof(held.lease));
    }
  }

  const aWorker = (atOnce = 3, graceMs = 0) => new Worker(new Leases(tasks, BY_HOLDER, clock), atOnce, graceMs);
  const cutShort = (signal: AbortSignal) =>
    new Promise<void>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));

  it('works on everything that is due, as much at a time as there is room for', async () => {
    await add('a', 'b', 'c', 'd', 'e', 'f', 'g');
    const worker = aWorker();
    expect(await worker.drain()).toBe(7);
    expect([[...worker.begun].sort().join(''), worker.most]).toEqual(['abcdefg', 3]);
    expect(await tasks.countDocuments()).toBe(0);
    expect(await worker.drain()).toBe(0);
  });

  it('leaves what fails to its lease, and goes on with the rest', async () => {
    await add('a', 'b');
    const worker = aWorker(1);
    worker.behave = ({ record }) => (record._id === 'a' ? Promise.reject(new Error('no luck')) : Promise.resolve());
    expect(await worker.drain()).toBe(2);
    expect(await tasks.countDocuments()).toBe(1);
    clock.advance(LENGTH_MS);
    worker.behave = () => Promise.resolve();
    await worker.drain();
    expect(worker.begun).toEqual(['a', 'b', 'a']);
  });

  it('keeps its lease however long the work takes', async () => {
    await add('a');
    const [worker, other] = [aWorker(), aWorker()];
    let finish = () => {};
    worker.behave = () => new Promise<void>((resolve) => (finish = resolve));
    await worker.look();
    for (let n = 0; n < 3; n++) {
      clock.advance(LENGTH_MS - 1);
      await eventually(async () => expect((await stored('a')).leaseUntil.getTime()).toBe(clock.nowMs() + LENGTH_MS));
      expect(await other.look()).toBe(0);
    }
    finish();
    await worker.drain();
    expect(await tasks.countDocuments()).toBe(0);
  });

  it('gives back at once what its stop cuts short, and claims nothing more', async () => {
    await add('a', 'b', 'c', 'd');
    const [worker, other] = [aWorker(), aWorker()];
    worker.behave = (_held, stopping) => cutShort(stopping);
    await worker.look();
    await worker.beforeApplicationShutdown();
    expect(await worker.look()).toBe(0);
    expect(worker.begun.sort()).toEqual(['a', 'b', 'c']);
    expect(await other.drain()).toBe(4);
  });

  it('lets work end within the grace of a stop', async () => {
    await add('a');
    const worker = aWorker(1, seconds(60));
    let finish = () => {};
    worker.behave = () => new Promise<void>((resolve) => (finish = resolve));
    await worker.look();
    const stopped = worker.beforeApplicationShutdown();
    finish();
    await stopped;
    expect(await tasks.countDocuments()).toBe(0);
  });

  it('gives back what it claimed while it was told to stop', async () => {
    await add('a', 'b');
    const [worker, other] = [aWorker(), aWorker()];
    const look = worker.look();
    await worker.beforeApplicationShutdown();
    await look;
    expect(worker.begun).toEqual([]);
    expect(await other.drain()).toBe(2);
  });
});
