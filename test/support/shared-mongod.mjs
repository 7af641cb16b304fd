/**
 * One mongod for all test runs of this user that overlap: the first starts it, later ones join, the last one out
 * stops it. A file per user process in `users/` is the count; files of dead processes don't count.
 */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { accepts, cacheDir, endProcess, freePort, isAlive, readOr, withLock } from '../../scripts/provision/lib.mjs';
import { findMongod, isMongodOf } from '../../scripts/provision/mongod.mjs';
import { startMongod } from '../../scripts/provision/mongod-server.mjs';

const dir = cacheDir('test-mongod');
const users = path.join(dir, 'users');
const stateFile = path.join(dir, 'state.json');
const ownFile = path.join(users, String(process.pid));
const STARTS = 3;
/** A file system in memory: the databases of tests make and drop thousands of files, each of them synced. */
const MEMORY = '/dev/shm';
/** What a whole run keeps at a time is about 1 GB. */
const ROOM = 4 * 2 ** 30;

/** Joins the running mongod or starts one. @returns {Promise<string>} its URL */
export async function joinMongod() {
  const binary = await findMongod();
  return withLock(dir, async () => {
    mkdirSync(users, { recursive: true });
    const url = (await runningUrl()) ?? (await startFresh(binary));
    writeFileSync(ownFile, '');
    return url;
  });
}

/** Leaves; the last one stops mongod and deletes its data. */
export async function leaveMongod() {
  await withLock(dir, async () => {
    rmSync(ownFile, { force: true });
    if (otherUsers().length === 0) await stop();
  });
}

/** The same from an exit handler, where nothing can be awaited; data is deleted by the next start. */
export function leaveMongodAtExit() {
  rmSync(ownFile, { force: true });
  const { pid, dbDir } = state();
  if (pid && otherUsers().length === 0 && isMongodOf(pid, dbDir)) process.kill(pid, 'SIGTERM');
}

function state() {
  return JSON.parse(readOr(stateFile, '{}'));
}

function otherUsers() {
  return readdirSync(users).filter((pid) => {
    if (Number(pid) === process.pid) return false;
    if (isAlive(Number(pid))) return true;
    rmSync(path.join(users, pid), { force: true });
    return false;
  });
}

async function runningUrl() {
  const { pid, port, url, dbDir } = state();
  if (!pid || !isAlive(pid) || !isMongodOf(pid, dbDir)) return null;
  // Without users it is about to end (its last run was interrupted), so it is not joined.
  if (otherUsers().length > 0 && (await accepts(port))) return url;
  await stop();
  return null;
}

/** Tries again where the port was taken by another program in the moment before mongod listens on it. */
async function startFresh(binary) {
  const lasting = { detached: true, scratch: true };
  const logPath = path.join(dir, 'mongod.log');
  for (let start = 1; ; start++) {
    const { dbDir: former } = state();
    if (former) rmSync(former, { recursive: true, force: true });
    rmSync(logPath, { force: true });
    const dbDir = mkdtempSync(path.join(hasRoomInMemory() ? MEMORY : dir, 'muniment-test-db-'));
    writeFileSync(stateFile, JSON.stringify({ dbDir }));
    try {
      const mongod = await startMongod({ binary, dataDir: dbDir, port: await freePort(), logPath, ...lasting });
      const { pid, port, url } = mongod;
      writeFileSync(stateFile, JSON.stringify({ pid, port, url, dbDir }));
      return url;
    } catch (error) {
      if (start === STARTS) throw error;
    }
  }
}

function hasRoomInMemory() {
  try {
    const { bavail, bsize } = statfsSync(MEMORY);
    return bavail * bsize > ROOM && process.availableMemory() > 2 * ROOM;
  } catch {
    return false;
  }
}

async function stop() {
  const { pid, dbDir } = state();
  // Nothing in it is wanted any more, so it need not be shut down cleanly.
  if (pid && isMongodOf(pid, dbDir)) await endProcess(pid, 0);
  if (dbDir) rmSync(dbDir, { recursive: true, force: true });
  rmSync(stateFile, { force: true });
}
