import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, stat, writeFile, readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { loadScript } from './load.js';

const { takeLock, releaseLock, lockHolder, processIdentity } = await loadScript<{
  takeLock: (file: string) => boolean;
  releaseLock: (file: string) => void;
  lockHolder: (file: string) => number | null;
  processIdentity: (pid: number) => string;
}>('provision/lib.mjs');
const { loadSecrets, saveSecrets } = await loadScript<{
  loadSecrets: (dir: string) => Record<string, string>;
  saveSecrets: (dir: string, secrets: object) => void;
}>('up/secrets.mjs');

describe('what protects a data folder', () => {
  let dir: string;
  beforeEach(async () => {
    dir = await mkdtemp(path.join(os.tmpdir(), 'muniment-locks-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));

  it('a lock is held by one process at a time', () => {
    const lock = path.join(dir, 'lock');
    expect(takeLock(lock)).toBe(true);
    expect(takeLock(lock)).toBe(false);
    expect(lockHolder(lock)).toBe(process.pid);
    releaseLock(lock);
    expect(takeLock(lock)).toBe(true);
  });

  it('the lock of a process that has ended is taken over', async () => {
    const lock = path.join(dir, 'lock');
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: 'pipe' });
    await once(child, 'spawn');
    await writeFile(lock, processIdentity(child.pid ?? 0));
    expect(takeLock(lock)).toBe(false);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(takeLock(lock)).toBe(true);
  });

  it('a lock is taken over when its process id has passed to another program', async () => {
    const lock = path.join(dir, 'lock');
    await writeFile(lock, `${process.pid} 1`);
    expect(takeLock(lock)).toBe(true);
  });

  it('the secrets are readable by their owner alone and stay the same', async () => {
    const first = loadSecrets(path.join(dir, 'data'));
    expect(loadSecrets(path.join(dir, 'data'))).toEqual(first);
    for (const [file, mode] of [
      ['.', 0o700],
      ['secrets.json', 0o600],
      ['mongod.key', 0o600],
    ] as const) {
      expect((await stat(path.join(dir, 'data', file))).mode & 0o777).toBe(mode);
    }
  });

  it('two data folders share no secret', () => {
    const [a, b] = [loadSecrets(path.join(dir, 'a')), loadSecrets(path.join(dir, 'b'))];
    expect(Object.values(a).filter((value) => Object.values(b).includes(value))).toEqual([]);
  });

  it('secrets written by the service itself are kept and completed', async () => {
    const own = { passwordSecret: 'p', urlSigningKey: 'u', superuserPassword: 's' };
    saveSecrets(dir, own);
    expect(loadSecrets(dir)).toMatchObject(own);
    expect(JSON.parse(await readFile(path.join(dir, 'secrets.json'), 'utf8'))).toHaveProperty('mongoPassword');
  });

  it('a damaged secrets file is reported, not replaced', async () => {
    await writeFile(path.join(dir, 'secrets.json'), '{"passwordSecret":');
    expect(() => loadSecrets(dir)).toThrow('is damaged');
    expect(await readFile(path.join(dir, 'secrets.json'), 'utf8')).toBe('{"passwordSecret":');
  });
});
