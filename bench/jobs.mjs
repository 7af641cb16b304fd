/**
 * Background jobs a second of one process. See `--help`. `npm run build && node bench/jobs.mjs [jobs]`
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import mongoose from 'mongoose';
import { helpOr, load, print } from './lib/command.mjs';
import { ADMIN, startService, tokenOf } from './lib/service.mjs';

helpOr(
  'node bench/jobs.mjs [jobs]: how many jobs a second one process claims and ends, by deletions of copies that are\n' +
    'gone already, so that next to nothing but the queue is measured (default: 3,000)',
);
const JOBS = Number(process.argv[2] ?? 3000);

const service = await startService();
try {
  const headers = await tokenOf(service.url, ADMIN);
  const { items } = await (await fetch(`${service.url}/orgs`, { headers })).json();
  const oid = new mongoose.mongo.UUID(items[0].id);
  const jobs = service.db.collection('jobs');
  const now = new Date();
  const plan = { dueAt: now, leaseUntil: new Date(0), tries: 0, again: false };
  const rows = Array.from({ length: JOBS }, () => ({
    ...{ _id: `delete-replica-${randomUUID()}`, type: 'delete-replica', oid, success: null, started: now },
    ...{ finished: null, previousAttempts: null, file_path: `${randomUUID()}.wacz`, object_type: 'crawl' },
    ...{ object_id: 'x', replica_storage: { name: 'default', custom: false }, schedule: null, plan },
  }));
  const ended = () => jobs.countDocuments({ type: 'delete-replica', success: true });
  const before = service.cpuSeconds();
  await jobs.insertMany(rows);
  while ((await ended()) === 0) await delay(10);
  const [began, first] = [performance.now(), await ended()];
  while ((await ended()) < JOBS) await delay(50);
  const seconds = (performance.now() - began) / 1000;
  const used = service.cpuSeconds() - before;
  print(
    `${JOBS} jobs in ${seconds.toFixed(1)} s: ${((JOBS - first) / seconds).toFixed(0)} a second; the service used ` +
      `${used.toFixed(1)} s of CPU, so ${(JOBS / used).toFixed(0)} for each second of it; ${load()}`,
  );
} finally {
  await service.stop();
}
