import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import { UrlSigner } from '../sigv4.js';
import { InvalidObjectKey, ObjectNotFound, StorageFull } from '../storage.errors.js';
import { LocalObjectStore } from './local-object-store.js';

const signer = new UrlSigner({ accessKey: 'local', secretKey: 'secret', region: 'local' });

describe('LocalObjectStore', () => {
  let root: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'muniment-local-'));
  });
  afterEach(() => rm(root, { recursive: true, force: true }));

  async function store(reserveBytes = 0): Promise<LocalObjectStore> {
    const made = new LocalObjectStore({ root, signer, publicPath: '/data/', reserveBytes });
    await made.prepare(new Date());
    return made;
  }

  it('keeps an object as the plain file that its key names', async () => {
    await (await store()).put('org/uploads/x.wacz', Buffer.from('x'));
    expect(await readdir(join(root, 'org', 'uploads'))).toEqual(['x.wacz']);
  });

  it('does not write below the reserve that keeps the database alive', async () => {
    const full = await store(Number.MAX_SAFE_INTEGER);
    await expect(full.put('a', Buffer.from('x'))).rejects.toBeInstanceOf(StorageFull);
    expect(await readdir(join(root, '.tmp'))).toEqual([]);
  });

  it('refuses a body that is announced larger than the disk', async () => {
    const announced = (await store()).put('a', Buffer.from('x'), { sizeHint: Number.MAX_SAFE_INTEGER });
    await expect(announced).rejects.toBeInstanceOf(StorageFull);
  });

  it('notices while writing that the disk fills up, and leaves nothing', async () => {
    const { bavail, bsize } = await import('node:fs/promises').then((fs) => fs.statfs(root));
    // Half of the 200 MB body fits above the reserve.
    const tight = await store(bavail * bsize - 100_000_000);
    const chunk = Buffer.alloc(1_000_000);
    const body = Readable.from(
      (function* () {
        for (let i = 0; i < 200; i++) yield chunk;
      })(),
      { objectMode: false },
    );
    await expect(tight.put('a/b', body)).rejects.toBeInstanceOf(StorageFull);
    expect(await readdir(join(root, '.tmp'))).toEqual([]);
    expect(await tight.exists('a/b')).toBe(false);
  });

  if (canMount()) {
    it('turns a disk that is really full into StorageFull', async () => {
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', root]);
      try {
        const small = await store();
        await expect(small.put('a/b', Readable.from([Buffer.alloc(3_000_000)]))).rejects.toBeInstanceOf(StorageFull);
        expect(await readdir(join(root, '.tmp'))).toEqual([]);
        await small.put('a/b', Buffer.alloc(500_000));
        expect((await small.list('')).objects).toMatchObject([{ key: 'a/b', size: 500_000 }]);
      } finally {
        execFileSync('umount', [root]);
      }
    });
  }

  it('removes what writes of dead processes left, and keeps those of living ones', async () => {
    await mkdir(join(root, '.tmp'), { recursive: true });
    const names = [`${process.pid}-old-me`, '999999999-dead', '1-alive', 'garbage', '1-alive-but-ancient'];
    for (const name of names) await writeFile(join(root, '.tmp', name), 'x');
    await utimes(join(root, '.tmp', '1-alive-but-ancient'), 1000, 1000);
    await store();
    expect(await readdir(join(root, '.tmp'))).toEqual(['1-alive']);
  });

  it('neither reads nor lists its own directory', async () => {
    const s = await store();
    await writeFile(join(root, '.tmp', 'x'), 'secret');
    await expect(s.get('.tmp/x')).rejects.toBeInstanceOf(InvalidObjectKey);
    expect((await s.list('')).objects).toEqual([]);
  });

  it('does not follow a symbolic link out of the store', async () => {
    const s = await store();
    await symlink('/etc/passwd', join(root, 'link'));
    await expect(s.get('link')).rejects.toBeInstanceOf(ObjectNotFound);
    expect((await s.list('')).objects).toEqual([]);
  });

  it('names a key that runs through another object', async () => {
    const s = await store();
    await s.put('a/b', Buffer.from('x'));
    await expect(s.put('a/b/c', Buffer.from('x'))).rejects.toBeInstanceOf(InvalidObjectKey);
    await expect(s.put('a', Buffer.from('x'))).rejects.toBeInstanceOf(InvalidObjectKey);
    expect(await s.exists('a/b/c')).toBe(false);
    await expect(s.get('a')).rejects.toBeInstanceOf(ObjectNotFound);
  });
});

/** Mounting needs root and a kernel that allows it. The reserve tests above cover the rest everywhere. */
function canMount(): boolean {
  if (process.getuid?.() !== 0) return false;
  try {
    execFileSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', tmpdir()], { stdio: 'ignore' });
    return true;
  } catch {
    process.stderr.write('SKIPPED: no small disk can be mounted here\n');
    return false;
  }
}
