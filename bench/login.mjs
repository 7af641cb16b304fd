/**
 * Logins a second of one process, how late its event loop is meanwhile, and whether an unknown address is answered as
 * late as a known one. `npm run build && node bench/login.mjs [seconds]`
 */
import { randomUUID } from 'node:crypto';
import bcrypt from 'bcrypt';
import mongoose from 'mongoose';
import { helpOr, load, ms, print, quantile } from './lib/command.mjs';
import { ADMIN, startService, timesOf, tokenOf } from './lib/service.mjs';

helpOr(
  'node bench/login.mjs [seconds]: logins/s at 8 clients beside what bcrypt alone does, the event loop’s delay\n' +
    'meanwhile, and the times of failed logins of known and unknown addresses (default: 20 seconds)',
);
const SECONDS = Number(process.argv[2] ?? 20);
const CLIENTS = 8;
const ATTEMPTS = 150;
/** As many as libuv's pool has threads. */
const THREADS = 4;

/** Runs the deed over and over. @returns {Promise<number>} how often a second */
async function rateOf(workers, deed) {
  const end = performance.now() + SECONDS * 1000;
  let done = 0;
  const work = async () => {
    while (performance.now() < end) {
      await deed();
      done += 1;
    }
  };
  const began = performance.now();
  await Promise.all(Array.from({ length: workers }, work));
  return (done * 1000) / (performance.now() - began);
}

const hash = await bcrypt.hash(ADMIN.password, 12);
const alone = await rateOf(THREADS, () => bcrypt.compare(ADMIN.password, hash));
print(`bcrypt alone, cost 12, ${THREADS} threads: ${alone.toFixed(1)} a second; ${load()}`);

const service = await startService({ LOGIN_FAILURES_PER_ADDRESS: '0' });
try {
  const people = Array.from({ length: ATTEMPTS + 20 + CLIENTS }, (_, n) => ({
    id: new mongoose.mongo.UUID(randomUUID()),
    email: `known${n}@example.com`,
    name: 'K',
    is_superuser: false,
    is_verified: true,
    hashed_password: hash,
  }));
  await service.db.collection('users').insertMany(people);
  let next = 0;
  await tokenOf(service.url, ADMIN);
  await service.ask('reset');
  const rate = await rateOf(CLIENTS, () => {
    const { email } = people[next++ % people.length];
    return tokenOf(service.url, { username: email, password: ADMIN.password });
  });
  const { p50, p99, max } = await service.ask('read');
  print(
    `logins, ${CLIENTS} clients: ${rate.toFixed(1)} a second (${((100 * rate) / alone).toFixed(0)} % of bcrypt alone)`,
  );
  print(`event loop late meanwhile: median ${ms(p50)}, p99 ${ms(p99)}, worst ${ms(max)}; ${load()}`);

  const fail = async (username) => {
    const body = new URLSearchParams({ username, password: 'wrong password' });
    const response = await fetch(`${service.url}/auth/jwt/login`, { method: 'POST', body });
    if (response.status !== 400) throw new Error(`a failed login answered ${response.status}`);
    await response.arrayBuffer();
  };
  const [known, unknown] = [[], []];
  // One after the other, so that both kinds meet the same machine.
  for (let n = 0; n < ATTEMPTS; n++) {
    known.push(...(await timesOf(() => fail(`known${n}@example.com`), 1, 0)));
    unknown.push(...(await timesOf(() => fail(`unknown${n}@example.com`), 1, 0)));
  }
  for (const [kind, times] of [
    ['known', known],
    ['unknown', unknown],
  ]) {
    times.sort((a, b) => a - b);
    print(
      `failed login, ${kind} address: median ${ms(quantile(times, 0.5))}, quartiles ${ms(quantile(times, 0.25))} and ${ms(quantile(times, 0.75))}`,
    );
  }
} finally {
  await service.stop();
}
