import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Clock } from '../common/clock/clock.js';
import { VERSION } from '../common/product.js';
import { AppConfig } from '../config/app-config.js';
import type { Lease } from '../database/leases.js';
import { SCHEMA_VERSION } from '../database/schema-version.js';
import { BackupLease } from './backup-lease.js';
import { BackupRefused } from './backup.errors.js';
import { BackupVerifier } from './backup-verifier.js';
import { BackupStateRepository } from './data/backup-state.repository.js';
import {
  DatabaseSnapshots,
  type DatabaseSnapshot,
  type NamedFile,
  type OwnStorages,
} from './data/database-snapshots.js';
import { ObjectCopier } from './object-copier.js';
import { secretMarkOf, secretsOf } from './secrets.js';
import { assertOutside, assertRoom } from './target-disk.js';
import { BackupTarget } from './target/backup-target.js';
import { fromLines, joined, packed, toLines, unpacked } from './target/lists.js';
import { BACKUP_FORMAT, folderOf, type BackedUpFile, type Manifest } from './target/manifest.js';

/** Moments that are tried. Another one is needed when an index is made, or the dump takes longer than the database keeps. */
const MOMENTS = 3;
/** What documents take at the most when they are packed, as a part of their size. Commonly it is a fifth. */
const PACKED = 0.6;

export interface BackupOrder {
  readonly target: string;
  /** File with the key; null: nothing is encrypted. */
  readonly keyFile: string | null;
  /** Whether everything is read again at the end. */
  readonly verify: boolean;
  readonly signal: AbortSignal;
  /** Told what is done, and what an administrator should know. */
  readonly tell: (line: string) => void;
}

export interface MadeBackup {
  readonly manifest: Manifest;
  /** Bytes of objects that were copied now. */
  readonly copiedBytes: number;
  readonly copiedObjects: number;
  /** Objects that could not be copied or differ from their records, and what was not found whole afterwards. */
  readonly problems: readonly string[];
}

interface Dump {
  readonly snapshot: Pick<DatabaseSnapshot, 'taken' | 'clusterTime'>;
  readonly collections: Manifest['collections'];
  readonly ownStorages: OwnStorages;
  /** Where the files are listed that documents record; the list goes when the objects are copied. */
  readonly named: string;
  readonly files: BackedUpFile[];
}

interface Run extends BackupOrder {
  readonly id: string;
  readonly into: BackupTarget;
  readonly lease: Lease;
  readonly windowBefore: number | null;
}

/** Most problems that are told one by one. */
const MOST_TOLD = 100;

/**
 * Makes a backup while the service runs: the database as it was at one moment, then every object that its documents
 * name. It counts from the moment its manifest is in place; until then it is a draft that the next run clears away.
 */
@Injectable()
export class BackupMaker {
  constructor(
    private readonly held: BackupLease,
    private readonly states: BackupStateRepository,
    private readonly snapshots: DatabaseSnapshots,
    private readonly objects: ObjectCopier,
    private readonly verifier: BackupVerifier,
    private readonly config: AppConfig,
    private readonly clock: Clock,
  ) {}

  /** @throws BackupRefused before anything is written */
  async make(order: BackupOrder): Promise<MadeBackup> {
    await assertOutside(order.target, this.config.dataDir);
    const made = await this.held.hold(async (lease, windowBefore) => {
      const into = await BackupTarget.openOrMake(order.target, await this.snapshots.installation(), order.keyFile);
      const cleared = await into.clearUnfinished();
      if (cleared > 0) order.tell(`${String(cleared)} backups that were cut short are cleared away.`);
      const signal = AbortSignal.any([order.signal, lease.lost]);
      const made = await this.write({ ...order, signal, into, lease, windowBefore, id: newId(this.clock.now()) });
      return { ...made, into };
    }, order.signal);
    const { manifest, into } = made;
    if (!order.verify) return made;
    const problems = [...made.problems];
    await this.verifier.verify(into, manifest, (problem) => problems.push(problem));
    return { ...made, problems };
  }

  private async write(run: Run): Promise<MadeBackup> {
    const { id, into, signal, lease } = run;
    const dump = await this.dumpAt(run);
    await this.assertRoomFor(run, dump);
    const problems: string[] = [];
    const sums = { count: 0, bytes: 0, problems: 0, copiedObjects: 0, copiedBytes: 0 };
    const copied = (bytes: number): void => {
      sums.copiedObjects += 1;
      sums.copiedBytes += bytes;
    };
    const index = `${folderOf(id)}/objects.jsonl.gz`;
    const context = { files: into.files, ownStorages: dump.ownStorages, signal, copied };
    const objects = tapped(this.objects.copyAll(this.named(into, dump.named), context), (object) => {
      sums.count += 1;
      sums.bytes += object.size;
      if (object.problem === undefined) return;
      sums.problems += 1;
      if (sums.problems <= MOST_TOLD) problems.push(`${object.key} of org ${object.oid}: ${object.problem}`);
    });
    const files = [
      ...dump.files,
      { place: index, ...(await into.files.write(index, packed(joined(toLines(objects))))) },
    ];
    if (sums.problems > MOST_TOLD) problems.push(`${String(sums.problems - MOST_TOLD)} further objects`);
    const secrets = await this.writeSecrets(run, files);
    const { snapshot, collections } = dump;
    const manifest: Manifest = {
      ...{ format: BACKUP_FORMAT, id, program: VERSION, schemaVersion: SCHEMA_VERSION },
      ...{ taken: snapshot.taken.toISOString(), clusterTime: snapshot.clusterTime },
      ...{ installation: into.installation, collections, secrets, files },
      objects: { index, count: sums.count, bytes: sums.bytes, problems: sums.problems },
      secretMark: secretMarkOf(this.config),
    };
    await into.files.remove(dump.named);
    // Whoever has the lease now may have deleted what this backup counts on.
    if (!(await this.states.leases.renew(lease))) throw new BackupRefused('another process took the backup over');
    signal.throwIfAborted();
    await into.complete(manifest);
    await this.states.completed(lease, snapshot.taken);
    return { manifest, problems, copiedObjects: sums.copiedObjects, copiedBytes: sums.copiedBytes };
  }

  private async dumpAt(run: Run): Promise<Dump> {
    await assertRoom(run.into.root, this.config.dataDir, (await this.snapshots.dataBytes()) * PACKED);
    const before = await this.snapshots.widenWindow();
    if (before === null)
      run.tell(
        'The database user may not set how long the database keeps snapshots: a dump has as long as it does now.',
      );
    const wide = run.windowBefore ?? before;
    await this.states.keepWindow(run.lease, wide);
    try {
      for (let left = MOMENTS; ; left -= 1) {
        try {
          return await this.dump(run);
        } catch (error) {
          if (left <= 1 || !this.snapshots.isGone(error)) throw error;
          run.tell('The moment that was read is gone from the database; another one is read.');
        }
      }
    } finally {
      if (wide !== null) await this.snapshots.setWindow(wide);
      await this.states.keepWindow(run.lease, null);
    }
  }

  private async dump({ id, into, signal }: Run): Promise<Dump> {
    const snapshot = await this.snapshots.open();
    const files: BackedUpFile[] = [];
    const collections: Manifest['collections'][number][] = [];
    try {
      const folder = folderOf(id);
      for (const name of await snapshot.collections()) {
        let documents = 0;
        const place = `${folder}/db/${encodeURIComponent(name)}.bson.gz`;
        const counted = tapped(snapshot.documents(name), () => (documents += 1));
        files.push({ place, ...(await into.files.write(place, packed(joined(counted)), { signal })) });
        collections.push({ name, documents, place });
      }
      const named = `${folder}/named.jsonl.gz`;
      await into.files.write(named, packed(joined(toLines(snapshot.files()))), { signal });
      const { taken, clusterTime } = snapshot;
      const ownStorages = await snapshot.ownStorages();
      return { snapshot: { taken, clusterTime }, collections, ownStorages, named, files };
    } finally {
      await snapshot.close();
    }
  }

  private async assertRoomFor({ into }: Run, { named }: Dump): Promise<void> {
    let bytes = 0;
    for await (const file of this.named(into, named))
      if ((await this.objects.known(file, into.files)) === null) bytes += file.size;
    await assertRoom(into.root, this.config.dataDir, bytes);
  }

  private named({ files }: BackupTarget, place: string): AsyncGenerator<NamedFile> {
    return fromLines<NamedFile>(unpacked(files.read(place)));
  }

  /** Secrets are never written in clear. */
  private async writeSecrets({ id, into, tell }: Run, files: BackedUpFile[]): Promise<string | null> {
    if (!into.files.key) {
      tell('Without --key-file the secrets of the installation (PASSWORD_SECRET, …) are not in the backup.');
      return null;
    }
    const place = `${folderOf(id)}/secrets`;
    files.push({ place, ...(await into.files.write(place, secretsOf(this.config))) });
    return place;
  }
}

/** Ids are in the order of time, also of backups that follow each other within a second. */
const newId = (now: Date): string => `${now.toISOString().replace(/[-:.]/g, '')}-${randomBytes(3).toString('hex')}`;

async function* tapped<T>(values: AsyncIterable<T>, see: (value: T) => void): AsyncGenerator<T, void, undefined> {
  for await (const value of values) {
    see(value);
    yield value;
  }
}
