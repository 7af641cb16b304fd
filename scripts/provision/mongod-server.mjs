/** Starts a one-member replica set (transactions need one), journaled, on loopback only, and waits until it is primary. */
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isPrimary } from './mongod-hello.mjs';
import { accepts, endChild, readOr, ROOT, until } from './lib.mjs';

const REPLICA_SET = 'muniment';
/** A member elects itself at once; when it does not, its configuration needs a look, as after a change of its port. */
const SETTLED_TIMEOUT_MS = 3_000;
/** What a member answers while it changes its state. */
const TRANSIENT = new Set([
  'NotYetInitialized',
  'NotPrimaryOrSecondary',
  'InterruptedDueToReplStateChange',
  'ConfigurationInProgress',
]);
/**
 * A process that is killed leaves its open transaction behind, whose documents nobody else can change until mongod gives
 * it up: after a minute, unless told otherwise. The service's longest are those of a few hundred small writes.
 */
const TRANSACTION_SECONDS = 20;
/**
 * Dropped files are kept for reads of the past (minSnapshotHistoryWindowInSeconds), and open until they have not been
 * used for ten minutes (close_idle_time): databases of tests come and go by the hundred, and mongod ends when it may open
 * no file more. Checkpoints of data that ends with it need not reach the disk.
 */
const SCRATCH = [
  ...['--syncdelay', '10'],
  ...['--setParameter', 'ttlMonitorEnabled=false', '--setParameter', 'minSnapshotHistoryWindowInSeconds=0'],
  '--wiredTigerEngineConfigString',
  'file_manager=(close_idle_time=20,close_scan_interval=5,close_handle_minimum=250),checkpoint_sync=false',
];
/** Generous: after kill -9 mongod replays its journal before it listens. */
const START_TIMEOUT_MS = 120_000;

/**
 * @typedef {object} MongodOptions
 * @property {string} binary path of mongod
 * @property {string} dataDir its data folder, created when absent
 * @property {number} port loopback port
 * @property {string} [logPath] log file (default: `mongod.log` beside the data folder)
 * @property {{keyFile: string, user: string, password: string}} [auth] access control; the user is made when absent
 * @property {number} [cacheGb] storage engine cache, default 0.25: the service keeps its working set small
 * @property {boolean} [settled] it was a ready primary before, with its user: then the driver need not be loaded
 * @property {boolean} [detached] lets mongod outlive this process
 * @property {boolean} [scratch] for a run of tests, whose clock is not the machine's and who make and drop hundreds of
 *   databases of hundreds of files: deletes nothing by its age, and lets go of what was dropped at once
 */

/**
 * @typedef {object} Mongod
 * @property {import('node:child_process').ChildProcess} child
 * @property {number} pid
 * @property {number} port
 * @property {string} url connects to it, credentials included
 * @property {Promise<void>} ready resolves when it is primary, rejects when it ends before
 * @property {() => Promise<void>} stop ends it in order
 */

/** Starts mongod and waits until it is primary. @param {MongodOptions} options @returns {Promise<Mongod>} */
export async function startMongod(options) {
  const mongod = spawnMongod(options);
  await mongod.ready;
  return mongod;
}

/** Starts mongod. @param {MongodOptions} options @returns {Mongod} */
export function spawnMongod(options) {
  const { binary, dataDir, port, auth, settled = false, detached = false } = options;
  const logPath = options.logPath ?? path.join(path.dirname(dataDir), 'mongod.log');
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const child = spawn(binary, mongodArgs(options, logPath), { stdio: 'ignore', detached });
  if (detached) child.unref();
  const ready = whenReady(child, { port, auth, settled, logPath });
  ready.catch(() => {}); // whoever waits for it sees the failure
  return {
    child,
    pid: child.pid,
    port,
    url: mongodUrl(port, auth),
    ready,
    stop: () => endChild(child),
  };
}

/** The connection string of a mongod that was started here. */
export function mongodUrl(port, auth) {
  const credentials = auth ? `${encodeURIComponent(auth.user)}:${encodeURIComponent(auth.password)}@` : '';
  const query = `directConnection=true&replicaSet=${REPLICA_SET}${auth ? '&authSource=admin' : ''}`;
  return `mongodb://${credentials}127.0.0.1:${port}/?${query}`;
}

async function whenReady(child, { port, auth, settled, logPath }) {
  const ended = new Promise((_, reject) => {
    child.once('error', (error) => reject(new Error(`mongod could not be started: ${error.message}`)));
    child.once('exit', (code, signal) => reject(new Error(startFailure(code ?? signal, logPath))));
  });
  ended.catch(() => {}); // an exit after the start is the owner's to notice
  const waiting = new AbortController();
  try {
    await Promise.race([ended, becomePrimary(port, auth, settled, waiting.signal)]);
  } catch (error) {
    waiting.abort(); // else whoever started it in vain is kept alive by looks at a port that nobody listens on
    await endChild(child);
    throw error;
  }
}

function mongodArgs({ dataDir, port, auth, cacheGb = 0.25, scratch = false }, logPath) {
  const args = ['--dbpath', dataDir, '--port', String(port), '--bind_ip', '127.0.0.1', '--replSet', REPLICA_SET];
  args.push('--wiredTigerCacheSizeGB', String(cacheGb), '--oplogSize', '128', '--logpath', logPath, '--logappend');
  // No unix socket in the shared temporary folder, no diagnostic files: neither is used.
  args.push('--nounixsocket', '--setParameter', 'diagnosticDataCollectionEnabled=false');
  args.push('--setParameter', `transactionLifetimeLimitSeconds=${TRANSACTION_SECONDS}`);
  if (scratch) args.push(...SCRATCH);
  if (auth) args.push('--keyFile', auth.keyFile);
  return args;
}

function startFailure(how, logPath) {
  const reason = readOr(logPath, '')
    .trim()
    .split('\n')
    .slice(-60)
    .map((line) => {
      try {
        const { s, msg, attr } = JSON.parse(line);
        return s === 'E' || s === 'F' ? `${msg} ${attr?.error ?? ''}`.trim() : null;
      } catch {
        return null;
      }
    })
    .filter(Boolean)
    .shift();
  return `mongod ended with ${how} while starting${reason ? `: ${reason}` : ''} (log: ${logPath})`;
}

/** The driver that mongoose brings, so that no second copy is needed. */
export function mongoDriver() {
  const require = createRequire(path.join(ROOT, 'package.json'));
  return createRequire(require.resolve('mongoose'))('mongodb');
}

async function becomePrimary(port, auth, settled, signal) {
  if (!(await until(async () => signal.aborted || (await accepts(port)), START_TIMEOUT_MS, 20)))
    throw new Error('mongod does not accept connections');
  signal.throwIfAborted();
  if (settled && (await until(() => isPrimary(port).catch(() => false), SETTLED_TIMEOUT_MS, 20))) return;
  const { MongoClient } = mongoDriver();
  const open = (withAuth) =>
    new MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
      serverSelectionTimeoutMS: 10_000,
      ...(withAuth && { auth: { username: auth.user, password: auth.password }, authSource: 'admin' }),
    });
  const client = open(false);
  try {
    await initiate(client.db('admin'), port, () => (auth ? open(true) : open(false)), signal);
    if (auth) await ensureUser(client.db('admin'), auth);
  } finally {
    await client.close();
  }
}

async function initiate(admin, port, openTrusted, signal) {
  const host = `127.0.0.1:${port}`;
  const end = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    signal.throwIfAborted();
    const state = await admin.command({ hello: 1 });
    if (state.isWritablePrimary) return;
    // Says that it is in no valid set: it is new, or still reading its configuration, or was last used on another port.
    if (state.isreplicaset && !(await initiateNew(admin, host))) await moveMember(openTrusted(), host);
    if (performance.now() > end) throw new Error('mongod does not become primary of its replica set');
    await delay(15);
  }
}

/** @returns {Promise<boolean>} false when it has been made a replica set before */
async function initiateNew(admin, host) {
  try {
    await admin.command({ replSetInitiate: { _id: REPLICA_SET, members: [{ _id: 0, host }] } });
    return true;
  } catch (error) {
    // Unauthorized: there is a user already, so it is not new.
    if (error.codeName === 'AlreadyInitialized' || error.codeName === 'Unauthorized') return false;
    throw error;
  }
}

/** The stored configuration names the port of the last start; when it is another one now, it is rewritten. */
async function moveMember(client, host) {
  try {
    const admin = client.db('admin');
    const { config } = await admin.command({ replSetGetConfig: 1 });
    if (config.members[0].host === host) return;
    config.members[0].host = host;
    config.version += 1;
    await admin.command({ replSetReconfig: config, force: true });
  } catch (error) {
    // Still reading its configuration, or just entering the new one: the caller asks again.
    if (!TRANSIENT.has(error.codeName)) throw error;
  } finally {
    await client.close();
  }
}

/** On a fresh data folder the localhost exception allows making the first user, and nothing after it. */
async function ensureUser(admin, auth) {
  try {
    await admin.command({ createUser: auth.user, pwd: auth.password, roles: ['root'] });
  } catch (error) {
    if (error.codeName !== 'Unauthorized' && error.codeName !== 'Location51003') throw error;
  }
}
