/** A process of the built service's lease and worker that settles accounts, for tests that kill, stop and skew it. */
import mongoose from 'mongoose';
import { Logger } from '@nestjs/common';
import { SystemClock } from '../../dist/src/common/clock/clock.js';
import { DatabaseTime } from '../../dist/src/database/database-time.js';
import { LeasedWorker } from '../../dist/src/database/leased-worker.js';
import { Leases } from '../../dist/src/database/leases.js';

const { MONGO_URL, DB_NAME, TERMS, WORK_MS } = process.env;
Logger.overrideLogger(false);
const connection = await mongoose.createConnection(MONGO_URL, { dbName: DB_NAME }).asPromise();
const clock = new SystemClock();
await new DatabaseTime(connection, clock).onModuleInit();
const schema = new mongoose.Schema({ _id: String, dueAt: Date, leaseUntil: Date, leaseId: String, settled: Number });
const accounts = connection.model('Account', schema, 'accounts');

class Settler extends LeasedWorker {
  leases;

  constructor(leases) {
    super(leases, new Logger('test'));
    this.leases = leases;
  }

  async claim() {
    const held = this.underWay.length < 4 ? await this.leases.claimNext() : null;
    return { held: held ? [held] : [], more: held !== null };
  }

  async work({ lease }) {
    await accounts.updateOne({ _id: lease.recordId }, { $inc: { begun: 1 } }, { strict: false });
    await new Promise((resolve) => setTimeout(resolve, Number(WORK_MS)));
    await accounts.updateOne(this.leases.proof(lease), { $inc: { settled: 1 }, $unset: { dueAt: 1 } });
  }
}

const worker = new Settler(new Leases(accounts, JSON.parse(TERMS), clock));
setInterval(() => worker.wake(), 50);
process.once('SIGTERM', async () => {
  await worker.beforeApplicationShutdown();
  await connection.close();
  process.exit(0);
});
process.once('disconnect', () => process.exit(1));
process.send('ready');
