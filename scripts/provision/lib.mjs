/**
 * What every provisioning step shares: where the cache is, how progress is told, how programs are found and run.
 * Node builtins only: these modules run before any package is installed.
 */
import { spawn, spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** The top folder of the repository. */
export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..', '..');

/** A tool could not be had. `message` tells what was tried and what the reader can do about it. */
export class ProvisionError extends Error {
  /** @param {string} what the tool @param {string[]} tried one line per step @param {string[]} advice what to do next */
  constructor(what, tried, advice) {
    const lines = [`Could not find or obtain ${what}.`, ...tried.map((line) => `  - ${line}`), 'What you can do:'];
    super([...lines, ...advice.map((line) => `  * ${line}`)].join('\n'));
    this.name = 'ProvisionError';
  }
}

/** The user's cache folder for tools, created when absent. */
export function cacheDir(...parts) {
  const base = process.env.XDG_CACHE_HOME || path.join(os.homedir(), '.cache');
  const dir = path.join(base, 'muniment', ...parts);
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  return dir;
}

/** Writes one progress line to standard error, so that standard output stays free for results. */
export function say(line) {
  process.stderr.write(`${line}\n`);
}

/** @returns {boolean} whether `file` is a file that this user may execute */
export function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The first of `names` that is an executable on PATH, or null. */
export function which(...names) {
  const dirs = (process.env.PATH ?? '').split(path.delimiter).filter(Boolean);
  for (const name of names) {
    const hit = dirs.map((dir) => path.join(dir, name)).find(isExecutable);
    if (hit) return hit;
  }
  return null;
}

/**
 * Runs a program to its end. Never throws: a program that cannot be started has code 127, one stopped at the time
 * limit has code 124.
 * @param {{cwd?: string, env?: object, timeoutMs?: number, echo?: boolean}} options `echo` passes its output to ours
 * @returns {Promise<{code: number, output: string}>} exit code and the last 8 KB of both streams
 */
export function run(command, args, { cwd, env, timeoutMs = 600_000, echo = false } = {}) {
  return new Promise((resolve) => {
    let output = '';
    let timedOut = false;
    const child = spawn(command, args, { cwd, env: env ?? process.env, stdio: ['ignore', 'pipe', 'pipe'] });
    const timer = setTimeout(() => {
      timedOut = true;
      child.kill('SIGKILL');
    }, timeoutMs);
    const take = (chunk) => {
      output = (output + chunk).slice(-8192);
      if (echo) process.stderr.write(chunk);
    };
    child.stdout.on('data', take);
    child.stderr.on('data', take);
    child.on('error', (error) => {
      clearTimeout(timer);
      resolve({ code: 127, output: error.message });
    });
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code: timedOut ? 124 : (code ?? 1), output });
    });
  });
}

/** The line of a program's output that tells best why it failed: the first that speaks of an error, else the last. */
export function failureLine(output) {
  const lines = output.trim().split('\n');
  return (lines.find((line) => /\b(error|failed|cannot|unable)\b/i.test(line)) ?? lines.pop() ?? '').trim();
}

/** @returns {boolean} whether a process with this id exists and has not ended (a zombie has) */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state, threads] = fieldsOf(stat, 0, 17);
    // Its first thread may have ended before the others, which still hold the locks of its files.
    return state !== 'Z' || Number(threads) > 1;
  } catch {
    return true; // no /proc on this system: the signal's answer stands
  }
}

/** The command line of a process, or '' where the system does not tell. */
export function commandLine(pid) {
  if (!existsSync('/proc/self')) return ps(pid, 'command=');
  return readOr(`/proc/${pid}/cmdline`, '').replaceAll('\0', ' ').trim();
}

/** Names a process across reuse of its id: the id and when it was started. */
export function processIdentity(pid) {
  if (!existsSync('/proc/self')) return `${pid} ${ps(pid, 'lstart=')}`.trim();
  const stat = readOr(`/proc/${pid}/stat`, '');
  const [startedAt] = fieldsOf(stat, 19);
  return `${pid} ${startedAt}`.trim();
}

/** Of a line of proc(5) stat: the fields behind the name, which is in parentheses and may hold anything; state is 0. */
function fieldsOf(stat, ...numbers) {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return numbers.map((number) => fields[number] ?? '');
}

/** One column about a process on systems without /proc. */
function ps(pid, column) {
  return spawnSync('ps', ['-o', column, '-p', String(pid)], { encoding: 'utf8' }).stdout?.trim() ?? '';
}

/** Waits until `condition` holds. @returns {Promise<boolean>} false when `timeoutMs` passed first */
export async function until(condition, timeoutMs, stepMs = 25) {
  const end = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > end) return false;
    await delay(stepMs);
  }
  return true;
}

/** Ends a process: SIGTERM, then SIGKILL after `graceMs`. Resolves when it is gone. */
export async function endProcess(pid, graceMs = 20_000) {
  for (const [signal, waitMs] of [
    ['SIGTERM', graceMs],
    ['SIGKILL', 5_000],
  ]) {
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    if (await until(() => !isAlive(pid), waitMs)) return;
  }
}

/** The same for a child of this process. One that has ended is left alone: its id may have passed to another program. */
export async function endChild(child, graceMs) {
  if (child.pid && child.exitCode === null && child.signalCode === null) await endProcess(child.pid, graceMs);
}

/** @returns {Promise<boolean>} whether something accepts connections there */
export function accepts(port, host = '127.0.0.1') {
  return new Promise((resolve) => {
    const socket = net.connect({ port, host });
    const end = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(1_000, () => end(false));
    socket.on('connect', () => end(true));
    socket.on('error', () => end(false));
  });
}

/** A loopback port that was free a moment ago; `wanted` itself when it is free. */
export function freePort(wanted = 0, host = '127.0.0.1') {
  return new Promise((resolve, reject) => {
    const server = net.createServer();
    server.on('error', (error) => (wanted ? resolve(freePort(0, host)) : reject(error)));
    server.listen({ port: wanted, host, exclusive: true }, () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}

/**
 * Runs `work` while holding a lock that other processes of this user respect. The lock of a process that has died is
 * taken over.
 */
export async function withLock(dir, work, timeoutMs = 900_000) {
  const lock = path.join(dir, '.lock');
  const got = await until(() => takeLock(lock), timeoutMs, 50);
  if (!got) throw new Error(`${lock} is held by another process (${readOr(lock, '?')}).`);
  try {
    return await work();
  } finally {
    releaseLock(lock);
  }
}

/** Takes a lock file for this process, or answers false when a living process holds it. */
export function takeLock(lock) {
  if (createExclusive(lock, processIdentity(process.pid))) return true;
  if (lockHolder(lock) !== null) return false;
  // Removing a dead holder's file is itself guarded: otherwise two takers could each remove the other's new lock.
  const guard = `${lock}.takeover`;
  if (!createExclusive(guard, '')) {
    if (performance.timeOrigin + performance.now() - modifiedAt(guard) > TAKEOVER_MS) rmSync(guard, { force: true });
    return false;
  }
  try {
    if (lockHolder(lock) === null) rmSync(lock, { force: true });
    return createExclusive(lock, processIdentity(process.pid));
  } finally {
    rmSync(guard, { force: true });
  }
}

/** Gives back a lock that this process holds. */
export function releaseLock(lock) {
  if (readOr(lock, '') === processIdentity(process.pid)) rmSync(lock, { force: true });
}

/** The id of the living process that holds a lock, or null. */
export function lockHolder(lock) {
  const holder = readOr(lock, '');
  const pid = Number(holder.split(' ')[0]);
  if (pid && isAlive(pid) && processIdentity(pid) === holder) return pid;
  // Created but not yet written by its taker: held.
  return holder === '' && performance.timeOrigin + performance.now() - modifiedAt(lock) < TAKEOVER_MS ? 0 : null;
}

/** Far longer than the two file operations that it guards take. */
const TAKEOVER_MS = 10_000;

function createExclusive(file, text) {
  try {
    writeFileSync(file, text, { flag: 'wx', mode: 0o600 });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function modifiedAt(file) {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** The text of a file, or `otherwise` when it cannot be read. */
export function readOr(file, otherwise) {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return otherwise;
  }
}
