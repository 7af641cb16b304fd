import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import mongoose from 'mongoose';
import { freePort } from '../support/free-port.js';
import { loadScript, ROOT } from './load.js';

interface Mongod {
  pid: number;
  url: string;
  stop: () => Promise<void>;
}
const { findMongod } = await loadScript<{ findMongod: (log: () => void) => Promise<string> }>('provision/mongod.mjs');
const { startMongod } = await loadScript<{ startMongod: (options: object) => Promise<Mongod> }>(
  'provision/mongod-server.mjs',
);
const { findChromium } = await loadScript<{ findChromium: (log: () => void) => Promise<string> }>(
  'provision/chromium.mjs',
);
const { isPrimary } = await loadScript<{ isPrimary: (port: number) => Promise<boolean> }>('provision/mongod-hello.mjs');
const silent = (): void => undefined;

let dir: string;
const program = async (folder: string, name: string): Promise<string> => {
  await mkdir(path.join(dir, folder), { recursive: true });
  const file = path.join(dir, folder, name);
  await writeFile(file, '#!/bin/sh\nexit 0\n');
  await chmod(file, 0o755);
  return file;
};

beforeEach(async () => {
  dir = await mkdtemp(path.join(os.tmpdir(), 'muniment-mongod-'));
});
afterEach(() => rm(dir, { recursive: true, force: true }));

describe('finding programs', () => {
  const before = { ...process.env };
  beforeEach(() => {
    process.env.PATH = path.join(dir, 'bin');
    process.env.XDG_CACHE_HOME = path.join(dir, 'cache');
    for (const name of ['MONGOD_BINARY', 'MONGODB_BINARY', 'CHROMIUM_PATH']) delete process.env[name];
  });
  afterEach(() => {
    Object.assign(process.env, before);
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
  });

  it('takes mongod from MONGOD_BINARY, then PATH, then the cache', async () => {
    const cached = await program('elsewhere', 'mongod');
    await mkdir(path.join(dir, 'cache', 'muniment', 'mongod'), { recursive: true });
    await writeFile(path.join(dir, 'cache', 'muniment', 'mongod', 'path'), `${cached}\n`);
    expect(await findMongod(silent)).toBe(cached);
    const onPath = await program('bin', 'mongod');
    expect(await findMongod(silent)).toBe(onPath);
    const named = await program('named', 'mongod-of-mine');
    process.env.MONGOD_BINARY = named;
    expect(await findMongod(silent)).toBe(named);
  });

  it('takes Chromium from CHROMIUM_PATH, then PATH', async () => {
    const onPath = await program('bin', 'google-chrome');
    expect(await findChromium(silent)).toBe(onPath);
    const named = await program('named', 'chrome-of-mine');
    process.env.CHROMIUM_PATH = named;
    expect(await findChromium(silent)).toBe(named);
  });

  it.each([
    ['MONGOD_BINARY', findMongod],
    ['CHROMIUM_PATH', findChromium],
  ])('does not look further when %s names nothing, and says what to do', async (name, find) => {
    process.env[name] = path.join(dir, 'missing');
    await expect(find(silent)).rejects.toThrow(new RegExp(`${name} is .*missing[\\s\\S]*What you can do`));
  });
});

describe('a mongod of our own', () => {
  let running: Mongod | null = null;
  const start = async (port: number, auth?: object): Promise<Mongod> =>
    (running = await startMongod({ binary: await findMongod(silent), dataDir: path.join(dir, 'db'), port, auth }));
  const connect = (url: string): Promise<mongoose.Connection> =>
    mongoose.createConnection(url, { dbName: 'notes', serverSelectionTimeoutMS: 60_000 }).asPromise();

  afterEach(async () => {
    await running?.stop();
    running = null;
  });

  it('is a primary again on another port, with its data, also after kill -9', async () => {
    const first = await start(await freePort());
    const before = await connect(first.url);
    await before.collection('notes').insertOne({ text: 'kept' });
    await before.close();
    process.kill(first.pid, 'SIGKILL');
    await first.stop();
    const second = await start(await freePort());
    const after = await connect(second.url);
    expect(await after.collection('notes').distinct('text')).toEqual(['kept']);
    await after.close();
  });

  it('moves to another port with access control on', async () => {
    const auth = { keyFile: path.join(dir, 'key'), user: 'muniment', password: 'p@ss/word' };
    await writeFile(auth.keyFile, 'k'.repeat(64), { mode: 0o600 });
    await (await start(await freePort(), auth)).stop();
    const second = await start(await freePort(), auth);
    const connection = await connect(second.url);
    await connection.collection('notes').insertOne({ text: 'written' });
    await connection.close();
    const withoutPassword = await connect(second.url.replace(/\/\/[^@]*@/, '//').replace('&authSource=admin', ''));
    await expect(withoutPassword.collection('notes').findOne({})).rejects.toThrow(/auth/i);
    await withoutPassword.close();
  });

  it('is asked for its state without the driver', async () => {
    const port = await freePort();
    await expect(isPrimary(port)).rejects.toThrow('ECONNREFUSED');
    await start(port);
    expect(await isPrimary(port)).toBe(true);
  });

  it('moves to another port also when it was settled on the old one', async () => {
    const options = { binary: await findMongod(silent), dataDir: path.join(dir, 'db'), settled: true };
    await (await start(await freePort())).stop();
    running = await startMongod({ ...options, port: await freePort() });
    const connection = await connect(running.url);
    await connection.collection('notes').insertOne({ text: 'written' });
    await connection.close();
  });

  it('gives transactions of processes that were killed up before a minute is over', async () => {
    const { url } = await start(await freePort());
    const connection = await connect(url);
    const lifetime = { getParameter: 1, transactionLifetimeLimitSeconds: 1 };
    expect(await connection.db?.admin().command(lifetime)).toMatchObject({ transactionLifetimeLimitSeconds: 20 });
    await connection.close();
  });

  it('tells why it could not be started', async () => {
    await start(await freePort());
    const again = startMongod({
      binary: await findMongod(silent),
      dataDir: path.join(dir, 'db'),
      port: await freePort(),
    });
    await expect(again).rejects.toThrow(/mongod ended with \d+ while starting: .*lock/i);
  });

  it('keeps nobody alive that started it in vain', async () => {
    const server = pathToFileURL(path.join(ROOT, 'scripts/provision/mongod-server.mjs')).href;
    const options = { binary: await program('bin', 'ends-at-once'), dataDir: dir, port: await freePort() };
    const starter = `const { startMongod } = await import(${JSON.stringify(server)});
      await startMongod(${JSON.stringify(options)}).catch(({ message }) => console.log(message));`;
    // Killed, and so failing, when it goes on looking for its mongod: that takes two minutes.
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', starter], {
      timeout: 100_000,
    });
    expect(stdout).toMatch(/mongod ended with 0 while starting/);
  });
});
