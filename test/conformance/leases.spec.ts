import { fork, type ChildProcess } from 'node:child_process';
import { randomBytes, randomInt } from 'node:crypto';
import { once } from 'node:events';
import path from 'node:path';
import mongoose, { type Connection } from 'mongoose';
import { minutes } from '../../src/common/units/durations.js';
import { eventually } from '../support/eventually.js';

const SUPPORT = path.join(import.meta.dirname, '..', 'support');
const ACCOUNTS = 120;
/** Short, so that a process that was stopped for a moment has lost what it held. */
const BY_END = { until: 'leaseUntil', due: 'dueAt', lengthMs: 4000, beatMs: 500 };

interface Account {
  _id: string;
  dueAt?: Date;
  leaseUntil: Date;
  begun?: number;
  settled?: number;
}

describe.each([
  ['with the ids of their holders', { ...BY_END, holder: 'leaseId' }],
  ['that their ends prove', BY_END],
])('leases %s, among processes', (_kind, terms) => {
  let connection: Connection;
  let children: ChildProcess[];

  beforeEach(async () => {
    const url = process.env['MUNIMENT_TEST_MONGO_URL'] ?? '';
    connection = await mongoose.createConnection(url, { dbName: `t_${randomBytes(8).toString('hex')}` }).asPromise();
    await accounts().createIndex({ dueAt: 1, leaseUntil: 1 });
    await accounts().insertMany(
      Array.from({ length: ACCOUNTS }, (_, n) => ({
        _id: `account-${n}`,
        dueAt: new Date(n),
        leaseUntil: new Date(0),
      })),
    );
    children = [];
  });
  afterEach(async () => {
    for (const child of children) await gone(child, 'SIGKILL');
    await connection.dropDatabase();
    await connection.close();
  });

  const accounts = () => connection.collection<Account>('accounts');
  const open = () => accounts().countDocuments({ dueAt: { $exists: true } });

  async function aProcess(workMs: number, skewMs = 0): Promise<ChildProcess> {
    const env = {
      ...{ MONGO_URL: process.env['MUNIMENT_TEST_MONGO_URL'] ?? '', DB_NAME: connection.name },
      ...{ TERMS: JSON.stringify(terms), WORK_MS: String(workMs), SKEW_MS: String(skewMs) },
    };
    const execArgv = ['--import', path.join(SUPPORT, 'skewed-time.mjs')];
    const child = fork(path.join(SUPPORT, 'leased-child.mjs'), { env, execArgv, stdio: 'inherit' });
    children.push(child);
    await once(child, 'message');
    return child;
  }

  async function gone(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }

  /** Every account was settled, and none of them twice. */
  async function expectSettled(): Promise<void> {
    await eventually(async () => expect(await open()).toBe(0));
    const wrong = await accounts()
      .find({ settled: { $ne: 1 } })
      .toArray();
    expect(wrong).toEqual([]);
  }

  /** A process that is stopped between two accounts holds none: it goes on, and is stopped again. */
  const stoppedHolding = (child: ChildProcess): Promise<Account[]> =>
    eventually(async () => {
      child.kill('SIGSTOP');
      const held = await accounts()
        .find({ begun: 1, dueAt: { $exists: true } })
        .toArray();
      if (held.length === 0) child.kill('SIGCONT');
      expect(held).not.toEqual([]);
      return held;
    });

  const progress = async (before: number): Promise<void> =>
    eventually(async () => expect(await open()).toBeLessThan(before), undefined, 1 + randomInt(20));

  it('lose nothing and double nothing when processes are killed at any moment', async () => {
    for (let kills = 0; kills < 4; kills++) {
      const mortal = await aProcess(30);
      await progress(await open());
      await gone(mortal, 'SIGKILL');
    }
    expect(await open()).toBeGreaterThan(0);
    await Promise.all([aProcess(1), aProcess(1)]);
    await expectSettled();
  });

  it('are lost by a process that stands still: what it writes afterwards is refused', async () => {
    const stalled = await aProcess(150);
    await progress(ACCOUNTS);
    const held = await stoppedHolding(stalled);
    await aProcess(150);
    // What the process had sent off before it stood still may settle one after that.
    const left = { _id: { $in: held.map(({ _id }) => _id) }, begun: 1, dueAt: { $exists: true } };
    await eventually(async () => expect(await accounts().countDocuments(left)).toBe(0));
    expect(await accounts().countDocuments({ begun: 2 })).toBeGreaterThan(0);
    stalled.kill('SIGCONT');
    await expectSettled();
    await gone(stalled, 'SIGTERM');
    expect(await accounts().countDocuments({ settled: { $ne: 1 } })).toBe(0);
  });

  it('are given back by a process that is told to stop, to be worked on at once', async () => {
    const first = await aProcess(100);
    await progress(ACCOUNTS);
    await gone(first, 'SIGTERM');
    const held = await accounts().countDocuments({ leaseUntil: { $gt: new Date(0) }, dueAt: { $exists: true } });
    expect(held).toBe(0);
    await aProcess(1);
    await expectSettled();
  });

  it('hold as long on machines whose clocks are wrong, and are over when they should be', async () => {
    // Work that outlasts a lease by far: whoever takes one over too early begins an account twice.
    await accounts().deleteMany({ _id: { $nin: ['account-0', 'account-1', 'account-2', 'account-3'] } });
    await aProcess(9000);
    await eventually(async () => expect(await accounts().countDocuments({ begun: 1 })).toBe(4));
    await aProcess(9000, minutes(5));
    await aProcess(9000, -minutes(5));
    await expectSettled();
    expect(await accounts().countDocuments({ begun: 1 })).toBe(4);
    await accounts().insertOne({ _id: 'left', dueAt: new Date(0), leaseUntil: new Date(Date.now() + 500) });
    await expectSettled();
  });
});
