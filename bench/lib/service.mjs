/** The built service with a database of its own, in processes of their own, for the figures of its API. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import http from 'node:http';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import mongoose from 'mongoose';
import { findMongod } from '../../scripts/provision/mongod.mjs';
import { startMongod } from '../../scripts/provision/mongod-server.mjs';
import { endChild, freePort } from '../../scripts/provision/lib.mjs';
import { ascending, scratchDir } from './command.mjs';
import { cpuNanoseconds, cpuSeconds } from './cpu.mjs';

export const ADMIN = { username: 'admin@example.com', password: 'PASSW0RD!of-benches' };
const CHILD = path.join(import.meta.dirname, 'service-child.mjs');

/**
 * @param {Record<string, string>} [env] settings over the usual ones
 * @param {string[]} [execArgv] of the service's Node.js
 * @param {string} [dataDir] a folder that stays
 */
export async function startService(env = {}, execArgv = [], dataDir = scratchDir()) {
  const binary = await findMongod();
  const mongod = await startMongod({ binary, dataDir: path.join(dataDir, 'db'), port: await freePort() });
  const child = fork(CHILD, {
    execArgv,
    env: {
      ...process.env,
      MONGO_DB_URL: mongod.url,
      DATA_DIR: dataDir,
      SUPERUSER_EMAIL: ADMIN.username,
      SUPERUSER_PASSWORD: ADMIN.password,
      CRAWL_DRIVER: 'fake',
      LOG_LEVEL: 'silent',
      ...env,
    },
  });
  const [{ url }] = await once(child, 'message');
  const connection = await mongoose.createConnection(mongod.url, { dbName: 'browsertrixcloud' }).asPromise();
  return {
    url: `${url}/api`,
    db: connection.db,
    mongoUrl: mongod.url,
    /** CPU time of the service until now: what it takes whatever else the machine does. */
    cpuSeconds: () => cpuSeconds(child.pid),
    /** The same in milliseconds and finer, and that of mongod. */
    fineCpu: () => ({ service: cpuNanoseconds(child.pid) / 1e6, mongod: cpuNanoseconds(mongod.pid) / 1e6 }),
    /** Milliseconds of CPU that service and mongod have used so far. */
    cpu: () => cpuOf(child.pid) + cpuOf(mongod.pid),
    settled: () => settled(connection.db, () => cpuOf(child.pid) + cpuOf(mongod.pid)),
    /** @param {'reset' | 'read'} question of the event loop's delay and of memory since the last reset */
    ask: async (question) => {
      child.send(question);
      return (await once(child, 'message'))[0];
    },
    stop: async () => {
      await connection.close();
      child.kill('SIGTERM');
      if (child.exitCode === null) await endChild(child);
      await mongod.stop();
    },
  };
}

const cpuOf = (pid) => cpuSeconds(pid) * 1000;

/** An idle service with its mongod takes 10 to 40 ms a second. */
const QUIET_MS_A_SECOND = 80;
const LONGEST_WAIT_SECONDS = 30;

/**
 * Lets mongod write what it was given, and waits until what it and the service do of themselves has ended: much that was
 * put in leaves checkpoints and the eviction of its cache behind, which is not what a figure is about.
 */
async function settled(db, cpu) {
  await db.admin().command({ fsync: 1 });
  for (let second = 0, quiet = 0; second < LONGEST_WAIT_SECONDS && quiet < 2; second++) {
    const before = cpu();
    await delay(1000);
    quiet = cpu() - before < QUIET_MS_A_SECOND ? quiet + 1 : 0;
  }
}

/** Logs in. @returns {Promise<Record<string, string>>} the header of further calls */
export async function tokenOf(url, { username, password }) {
  const response = await fetch(`${url}/auth/jwt/login`, {
    method: 'POST',
    body: new URLSearchParams({ username, password }),
  });
  if (!response.ok) throw new Error(`login answered ${response.status}`);
  return { authorization: `Bearer ${(await response.json()).access_token}` };
}

/**
 * Reads JSON over one connection that is kept, by as little of a client as can be: it runs on the same cores. A call
 * with something to send is a PATCH.
 */
export function reader(url, headers) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const json = { ...headers, 'content-type': 'application/json' };
  return async (path, sent) => {
    const how = sent === undefined ? { agent, headers } : { agent, headers: json, method: 'PATCH' };
    const request = http.request(`${url}${path}`, how);
    request.end(sent === undefined ? undefined : JSON.stringify(sent));
    const [response] = await once(request, 'response');
    let body = '';
    for await (const part of response.setEncoding('utf8')) body += part;
    if (response.statusCode !== 200) throw new Error(`${path} answered ${response.statusCode}: ${body}`);
    return JSON.parse(body);
  };
}

/** Calls one after another. @returns {Promise<number[]>} milliseconds, ascending; the first calls, which warm up, left out */
export async function timesOf(call, count, warmUp = 20) {
  const times = [];
  for (let n = 0; n < count + warmUp; n++) {
    const began = performance.now();
    await call(n);
    if (n >= warmUp) times.push(performance.now() - began);
  }
  return ascending(times);
}
