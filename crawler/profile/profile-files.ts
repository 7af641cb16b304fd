import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join, resolve, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { extract, pack, type Header } from 'tar-stream';
import { Metered } from '../base/metered.js';
import { nowIso } from '../base/time.js';
import type { Browser } from '../browser/browser.js';
import { WORK_FILES, type OutputFile } from '../protocol.js';
import { publish } from '../wacz/packer.js';

/** Files left out of a profile: the browser rebuilds them, or they are large or tied to this machine. */
const LEFT_OUT =
  /(?:^|\/)(?:Cache|Code Cache|GPUCache|DawnCache|[A-Za-z]*ShaderCache|Dawn[A-Za-z]*Cache|GraphiteDawnCache|component_crx_cache|Crashpad|Singleton.*|.*\.log|BrowserMetrics.*|CacheStorage|blob_storage)(?:\/|$)/;

/** Lifetime given to session cookies. They would end with the browser, but a saved log-in must not. */
const SESSION_COOKIE_DAYS = 7;
/** Most bytes that a profile may unpack to; a larger archive is no browser profile. */
const MAX_BYTES = 2 * 2 ** 30;
const MAX_FILES = 100_000;

export class BadProfileArchive extends Error {}

/** The browser profile in the working directory, and its archive. Design crawler.md §9. */
export class ProfileFolder {
  private readonly folder: string;

  constructor(private readonly dir: string) {
    this.folder = join(dir, WORK_FILES.profileDir);
  }

  /** Unpacks the profile to start from, but only once: a resumed run has its own. */
  async restore(hasProfile: boolean): Promise<void> {
    const archive = join(this.dir, WORK_FILES.profileArchive);
    if (existsSync(this.folder)) return;
    await mkdir(this.folder, { recursive: true });
    if (!hasProfile || !existsSync(archive)) return;
    try {
      await unpack(archive, this.folder);
    } catch (error) {
      await rm(this.folder, { recursive: true, force: true });
      throw error;
    }
  }

  async keepSessionCookies(browser: Browser): Promise<void> {
    const expires = Math.floor(Date.now() / 1000) + SESSION_COOKIE_DAYS * 86_400;
    const cookies = await browser.context.cookies();
    const session = cookies.filter((cookie) => cookie.expires === -1).map((cookie) => ({ ...cookie, expires }));
    if (session.length > 0) await browser.context.addCookies(session);
  }

  /** Packs the profile to `out/<name>`. The browser must be closed. */
  async pack(name: string): Promise<OutputFile> {
    const path = join(this.dir, WORK_FILES.outDir, name);
    const temporary = `${path}.tmp`;
    await mkdir(dirname(path), { recursive: true });
    const meter = new Metered();
    const tar = pack();
    const writing = pipeline(tar, createGzip(), meter, createWriteStream(temporary, { mode: 0o600 }));
    for await (const file of filesOf(this.folder)) await addEntry(tar, file);
    tar.finalize();
    await writing;
    const file: OutputFile = {
      kind: 'profile',
      file: name,
      ...meter.result(),
      pages: 0,
      modified: nowIso(),
    };
    await publish(temporary, path, file);
    return file;
  }
}

interface ProfileFile {
  readonly path: string;
  readonly name: string;
  readonly size: number;
}

async function* filesOf(root: string, prefix = ''): AsyncGenerator<ProfileFile> {
  for (const name of await readdir(join(root, prefix))) {
    const relative = prefix ? `${prefix}/${name}` : name;
    if (LEFT_OUT.test(relative)) continue;
    const path = join(root, relative);
    const info = await lstat(path).catch(() => null);
    if (info?.isDirectory()) yield* filesOf(root, relative);
    else if (info?.isFile()) yield { path, name: relative, size: info.size };
  }
}

function addEntry(tar: ReturnType<typeof pack>, file: ProfileFile): Promise<void> {
  return new Promise<void>((done, failed) => {
    const header = { name: file.name, size: file.size, mode: 0o600 };
    const entry = tar.entry(header, (error?: Error | null) => (error ? failed(error) : done()));
    if (file.size === 0) {
      entry.end(Buffer.alloc(0));
      return;
    }
    createReadStream(file.path, { end: file.size - 1 })
      .on('error', failed)
      .pipe(entry);
  });
}

/** Unpacks regular files and folders only, and only below `target`. @throws BadProfileArchive */
export async function unpack(archive: string, target: string): Promise<void> {
  const root = resolve(target);
  let bytes = 0;
  let files = 0;
  const reader = extract();
  const write = async (header: Header, stream: Readable): Promise<void> => {
    const path = resolve(root, header.name);
    if (path !== root && !path.startsWith(root + sep)) throw new BadProfileArchive(`path leads out: ${header.name}`);
    if (++files > MAX_FILES || (bytes += header.size ?? 0) > MAX_BYTES) throw new BadProfileArchive('too large');
    if (header.type === 'file') {
      await mkdir(dirname(path), { recursive: true });
      await pipeline(stream, createWriteStream(path, { mode: 0o600, flags: 'w' }));
      return;
    }
    // Links are skipped: nothing in a profile needs them, and they could point anywhere.
    if (header.type === 'directory') await mkdir(path, { recursive: true });
    stream.resume();
  };
  reader.on('entry', (header, stream, next) => {
    write(header, stream as unknown as Readable).then(
      () => next(),
      (error: Error) => reader.destroy(error),
    );
  });
  await pipeline(createReadStream(archive), createGunzip(), reader);
}
