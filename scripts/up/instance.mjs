/** One data folder, one running service: the lock, the file that tells others where it is, and what a crash left. */
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  commandLine,
  endProcess,
  isAlive,
  lockHolder,
  processIdentity,
  readOr,
  releaseLock,
  takeLock,
} from '../provision/lib.mjs';
import { isMongodOf } from '../provision/mongod.mjs';

/**
 * @typedef {object} RunFile what `run/up.json` holds
 * @property {string} url where the service is reached
 * @property {string} [api] process id and start of the service
 * @property {string} [mongod] process id and start of the database
 */

/** @returns {RunFile | null} the service that runs on this data folder, or null */
export function runningInstance(dataDir) {
  if (lockHolder(lockFile(dataDir)) === null) return null;
  return readRunFile(dataDir) ?? { url: '' };
}

/** Takes the data folder for this process. @returns {boolean} false when another one has it */
export function claimInstance(dataDir) {
  mkdirSync(runDir(dataDir), { recursive: true, mode: 0o700 });
  return takeLock(lockFile(dataDir));
}

export function releaseInstance(dataDir) {
  rmSync(runFile(dataDir), { force: true });
  releaseLock(lockFile(dataDir));
}

/** @param {RunFile} content */
export function writeRunFile(dataDir, content) {
  const temporary = `${runFile(dataDir)}.tmp`;
  writeFileSync(temporary, JSON.stringify(content), { mode: 0o600 });
  renameSync(temporary, runFile(dataDir));
}

/** Ends the service and the database of a starter that was killed, the service first. */
export async function endOrphans(dataDir, dbDir, log) {
  const left = readRunFile(dataDir) ?? {};
  const api = livingPid(left.api);
  if (api && commandLine(api).includes('main.js')) {
    log('Ending the service that an interrupted start left behind …');
    await endProcess(api);
  }
  // Its own lock file names it even when it was started just before the crash.
  const mongod = livingPid(left.mongod) ?? (Number(readOr(path.join(dbDir, 'mongod.lock'), '')) || null);
  if (mongod && isAlive(mongod) && isMongodOf(mongod, dbDir)) {
    log('Ending the database that an interrupted start left behind …');
    await endProcess(mongod);
  }
  rmSync(runFile(dataDir), { force: true });
}

function livingPid(identity) {
  const pid = Number(identity?.split(' ')[0]);
  return pid && isAlive(pid) && processIdentity(pid) === identity ? pid : null;
}

/** @returns {RunFile | null} */
function readRunFile(dataDir) {
  try {
    return JSON.parse(readOr(runFile(dataDir), ''));
  } catch {
    return null;
  }
}

function runDir(dataDir) {
  return path.join(dataDir, 'run');
}

function runFile(dataDir) {
  return path.join(runDir(dataDir), 'up.json');
}

function lockFile(dataDir) {
  return path.join(runDir(dataDir), 'lock');
}
