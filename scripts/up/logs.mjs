import { closeSync, copyFileSync, mkdirSync, openSync, statSync, truncateSync } from 'node:fs';
import path from 'node:path';
import { readOr } from '../provision/lib.mjs';

/** One older copy is kept beside each log, so a log takes at most twice this. */
const LARGEST_LOG_BYTES = 20 * 1024 * 1024;

/** The log files of a data folder. The programs write to them directly, so they keep writing if the starter dies. */
export function logFile(dataDir, name) {
  const dir = path.join(dataDir, 'logs');
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  return path.join(dir, `${name}.log`);
}

/** Runs `work` with a log file opened for appending. */
export function withLogOpen(file, work) {
  const fd = openSync(file, 'a', 0o600);
  try {
    return work(fd);
  } finally {
    closeSync(fd); // the started program has its own copy
  }
}

/** Copies a large log aside and empties it in place: its writer holds it open for appending and goes on. */
export function rotateLog(file) {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size <= LARGEST_LOG_BYTES) return;
  copyFileSync(file, `${file}.1`);
  truncateSync(file, 0);
}

/** The last lines written after `offset`, messages taken out of JSON lines, for a report of a failure. */
export function logTail(file, offset = 0, count = 12) {
  const lines = Buffer.from(readOr(file, '')).subarray(offset).toString('utf8').trim().split('\n');
  return lines.slice(-count).map(plainLine).filter(Boolean);
}

export function logSize(file) {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function plainLine(line) {
  try {
    const { msg, err } = JSON.parse(line);
    return [msg, err?.message].filter(Boolean).join(': ') || line;
  } catch {
    return line;
  }
}
