import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, unlink } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { syncFolder } from '../../common/disk/sync-folder.js';
import { BackupRefused, BackupTorn } from '../backup.errors.js';
import { BackupKey } from './backup-key.js';
import { BACKUP_FORMAT, fromBytes, manifestOf, toBytes, type Manifest } from './manifest.js';
import { allOf, TargetFiles } from './target-files.js';

const MARKER = 'muniment-backup.json';
const SALT_BYTES = 32;

/** What makes a folder a target. It is not encrypted, so it holds nothing of the archive. */
interface Marker {
  readonly format: number;
  /** Id of the database that is backed up here. */
  readonly installation: string;
  /** Null: nothing is encrypted. The salt is in hex. */
  readonly key: { readonly salt: string; readonly mark: string } | null;
}

/**
 * A folder of backups of one installation:
 *
 *     muniment-backup.json     what the folder is
 *     snapshots/<id>/          the database at one moment, the list of its objects; `manifest` makes it count
 *     objects/<aa>/<name>      stored objects, each once, named by their digests
 *     drafts/                  files that are being written
 */
export class BackupTarget {
  private constructor(
    readonly installation: string,
    readonly files: TargetFiles,
  ) {}

  get root(): string {
    return this.files.root;
  }

  /** @throws BackupRefused when the folder is none, or the key is another */
  static async open(folder: string, keyFile: string | null): Promise<BackupTarget> {
    const root = resolve(folder);
    const marker = await readMarker(root);
    if (!marker) throw new BackupRefused(`${root} holds no backups of Muniment`);
    if (marker.format !== BACKUP_FORMAT)
      throw new BackupRefused(
        `${root} has backups of format ${String(marker.format)}; this program reads ${String(BACKUP_FORMAT)}`,
      );
    return new BackupTarget(marker.installation, new TargetFiles(root, await keyOf(root, marker, keyFile)));
  }

  /** Opens the target of an installation, or makes one of an empty or absent folder. @throws BackupRefused */
  static async openOrMake(folder: string, installation: string, keyFile: string | null): Promise<BackupTarget> {
    const root = resolve(folder);
    if (!(await readMarker(root))) await makeMarker(root, installation, keyFile);
    const target = await BackupTarget.open(root, keyFile);
    if (target.installation !== installation)
      throw new BackupRefused(`${root} holds the backups of another installation: give each a folder of its own`);
    return target;
  }

  /** Ids of the backups that count, the oldest first. */
  async ids(): Promise<string[]> {
    const ids: string[] = [];
    for (const id of await namesIn(join(this.root, 'snapshots')))
      if ((await namesIn(join(this.root, 'snapshots', id))).includes('manifest')) ids.push(id);
    return ids.sort();
  }

  /** @param at the backup's id; the newest when null. @throws BackupRefused when there is none */
  async pick(at: string | null): Promise<Manifest> {
    const ids = await this.ids();
    const id = at ?? ids.at(-1);
    if (id === undefined) throw new BackupRefused(`${this.root} holds no backup that was completed`);
    if (!ids.includes(id))
      throw new BackupRefused(`${this.root} holds no backup ${id}; it holds ${ids.join(', ') || 'none'}`);
    return this.manifest(id);
  }

  /** @throws BackupTorn */
  async manifest(id: string): Promise<Manifest> {
    const place = manifestOf(id);
    const manifest = fromBytes(await allOf(this.files.read(place)), place);
    if (manifest.id !== id || manifest.installation !== this.installation)
      throw new BackupTorn(`${place} belongs to another backup`);
    return manifest;
  }

  /** Makes the backup count. Everything that it names has to be on the disk. */
  async complete(manifest: Manifest): Promise<void> {
    await this.files.settle();
    const bytes = toBytes(manifest);
    await this.files.write(manifestOf(manifest.id), only(bytes));
    await this.files.settle();
  }

  /** Deletes a backup. It stops to count before the first of its files goes. Its objects stay until they are swept. */
  async remove(id: string): Promise<void> {
    const folder = join(this.root, 'snapshots', id);
    await unlink(join(this.root, manifestOf(id)));
    await syncFolder(folder);
    await rm(folder, { recursive: true, force: true });
  }

  /** Deletes what backups left that were cut short. Only the holder of the lease may. @returns their number */
  async clearUnfinished(): Promise<number> {
    await rm(join(this.root, 'drafts'), { recursive: true, force: true });
    const counting = new Set(await this.ids());
    const left = (await namesIn(join(this.root, 'snapshots'))).filter((id) => !counting.has(id));
    for (const id of left) await rm(join(this.root, 'snapshots', id), { recursive: true, force: true });
    return left.length;
  }

  /** Names of the copied objects, folder by folder. */
  async *objectNames(): AsyncGenerator<string> {
    for (const folder of await namesIn(join(this.root, 'objects')))
      yield* await namesIn(join(this.root, 'objects', folder));
  }
}

async function* only(bytes: Buffer): AsyncGenerator<Buffer> {
  yield await Promise.resolve(bytes);
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}

async function readMarker(root: string): Promise<Marker | null> {
  try {
    return JSON.parse(await readFile(join(root, MARKER), 'utf8')) as Marker;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw new BackupRefused(`${join(root, MARKER)} cannot be read: ${(error as Error).message}`);
  }
}

async function keyOf(root: string, { key }: Marker, keyFile: string | null): Promise<BackupKey | null> {
  if (!key && !keyFile) return null;
  if (!key)
    throw new BackupRefused(`the backups in ${root} are not encrypted: leave the key file out, or use another folder`);
  if (!keyFile) throw new BackupRefused(`the backups in ${root} are encrypted: name the key file with --key-file`);
  const given = await BackupKey.read(keyFile, Buffer.from(key.salt, 'hex'));
  if (!given.isOf(key.mark))
    throw new BackupRefused(`the backups in ${root} were made with another key than that in ${keyFile}`);
  return given;
}

async function makeMarker(root: string, installation: string, keyFile: string | null): Promise<void> {
  await mkdir(root, { recursive: true, mode: 0o700 });
  const draft = `${MARKER}.draft`;
  const others = (await namesIn(root)).filter((name) => name !== draft && name !== 'lost+found');
  if (others.length > 0) throw new BackupRefused(`${root} holds other files: a target is a folder of its own`);
  const salt = randomBytes(SALT_BYTES);
  const key = keyFile ? { salt: salt.toString('hex'), mark: (await BackupKey.read(keyFile, salt)).mark } : null;
  const marker: Marker = { format: BACKUP_FORMAT, installation, key };
  const file = await open(join(root, draft), 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(marker, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(join(root, draft), join(root, MARKER));
  await syncFolder(root);
}
