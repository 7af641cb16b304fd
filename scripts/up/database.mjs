import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort, readOr } from '../provision/lib.mjs';
import { mongodUrl, spawnMongod } from '../provision/mongod-server.mjs';
import { logFile } from './logs.mjs';
import { keyFile } from './secrets.mjs';

/** Where the database of a data folder keeps its files. */
export function dbDir(dataDir) {
  return path.join(dataDir, 'db');
}

/**
 * Starts the database of a data folder on a loopback port of its own, with access control, so that other users of the
 * machine cannot read it. Its URL is known at once; `ready` tells when it can be used.
 * @param {{binary: string, dataDir: string, secrets: import('./secrets.mjs').Secrets}} options
 * @returns {Promise<import('../provision/mongod-server.mjs').Mongod>}
 */
export async function spawnDatabase({ binary, dataDir, secrets }) {
  return spawnMongod({
    binary,
    dataDir: dbDir(dataDir),
    port: await ownPort(dataDir),
    logPath: logFile(dataDir, 'mongod'),
    auth: access(dataDir, secrets),
    settled: secrets.superuserCreated === true,
    detached: true, // out of the terminal's process group: Ctrl-C must reach the service first
  });
}

/** Where the database that runs on a data folder is reached, credentials included. */
export function ownDatabaseUrl(dataDir, secrets) {
  return mongodUrl(Number(readOr(portFile(dataDir), '')), access(dataDir, secrets));
}

function access(dataDir, secrets) {
  return { keyFile: keyFile(dataDir), user: 'muniment', password: secrets.mongoPassword };
}

function portFile(dataDir) {
  return path.join(dataDir, 'run', 'mongod.port');
}

/** The port of the last start, as long as nobody else has taken it since. */
async function ownPort(dataDir) {
  const file = portFile(dataDir);
  const last = Number(readOr(file, '')) || 0;
  const port = await freePort(last);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  if (port !== last) writeFileSync(file, String(port));
  return port;
}
