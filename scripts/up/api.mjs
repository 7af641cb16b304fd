import { spawn } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { endChild, ROOT, until } from '../provision/lib.mjs';
import { logFile, logSize, logTail, withLogOpen } from './logs.mjs';

const ENTRY = path.join(ROOT, 'dist', 'src', 'main.js');
const FOLLOW_PARENT = pathToFileURL(path.join(ROOT, 'scripts', 'up', 'follow-parent.mjs')).href;
/** Covers migrations and index builds of a large database; an API that ends says so at once. */
const READY_TIMEOUT_MS = 600_000;
/** Crawl browsers get 5 s to close their files; this leaves room for uploads in progress. */
const STOP_GRACE_MS = 30_000;

/**
 * Starts the service and waits until it is ready.
 * @param {{dataDir: string, env: object, url: string}} options `env` is added to ours
 * @param {(child: import('node:child_process').ChildProcess) => void} onSpawned called before it is ready
 * @throws {Error} with the last lines of its log when it ends first
 */
export async function startApi({ dataDir, env, url }, onSpawned) {
  const file = logFile(dataDir, 'api');
  const offset = logSize(file);
  const child = withLogOpen(file, (fd) =>
    spawn(process.execPath, ['--import', FOLLOW_PARENT, ENTRY], {
      cwd: ROOT,
      env: { ...process.env, ...env },
      stdio: ['ignore', fd, fd, 'ipc'],
      detached: true, // out of the terminal's process group: we decide the order in which things end
    }),
  );
  let ended = null;
  child.once('exit', (code, signal) => (ended = code ?? signal));
  child.once('error', (error) => (ended = error.message));
  onSpawned(child);
  await until(async () => ended !== null || (await isReady(url)), READY_TIMEOUT_MS, 60);
  if (ended !== null) {
    throw new Error(
      [`The service ended (${ended}) before it was ready:`, ...logTail(file, offset), `Log: ${file}`].join('\n  '),
    );
  }
  if (!(await isReady(url))) {
    await stopApi(child);
    throw new Error(`The service did not become ready within ${READY_TIMEOUT_MS / 60_000} minutes. Log: ${file}`);
  }
  return child;
}

/** Lets the service finish in order; kills it when it does not. */
export async function stopApi(child) {
  await endChild(child, STOP_GRACE_MS);
}

export async function isReady(url) {
  try {
    const response = await fetch(`${url}/healthzStartup`, { signal: AbortSignal.timeout(5_000) });
    await response.arrayBuffer();
    return response.ok;
  } catch {
    return false;
  }
}
