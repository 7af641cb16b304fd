import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { OBJECT_PURPOSE } from './object-copier.js';
import { BackupTorn } from './backup.errors.js';
import { inOrderAhead } from './rules/ahead.js';
import { bsonDocuments } from './rules/bson-stream.js';
import type { BackupTarget } from './target/backup-target.js';
import { fromLines, unpacked } from './target/lists.js';
import { placeOfObject, type BackedUpObject, type Manifest } from './target/manifest.js';
import { Digested } from './target/target-files.js';

/** Objects that are read at once. */
const AT_ONCE = 4;

export interface Verified {
  readonly files: number;
  readonly objects: number;
  /** Bytes that were read. */
  readonly bytes: number;
}

/** Reads a backup again, all of it, and compares it with what was written. It changes nothing. */
@Injectable()
export class BackupVerifier {
  /**
   * @param torn called with what differs, in words
   * @param seen names of objects that were found whole before; those of this backup are added
   */
  async verify(
    target: BackupTarget,
    manifest: Manifest,
    torn: (problem: string) => void,
    seen = new Set<string>(),
  ): Promise<Verified> {
    let [files, bytes] = [0, 0];
    let isWhole = true;
    const tell = (problem: string): void => {
      isWhole = false;
      torn(problem);
    };
    for (const { place, size, sha256 } of manifest.files) {
      files += 1;
      bytes += size;
      await telling(tell, () => this.compare(target, place, { size, sha256 }));
    }
    for (const { name, place, documents } of manifest.collections)
      await telling(tell, () => this.count(target, { name, place, documents }));
    // A list that is not whole would only tell the same again.
    const objects = isWhole ? await this.objects(target, manifest, tell, seen) : { count: 0, bytes: 0 };
    return { files, objects: objects.count, bytes: bytes + objects.bytes };
  }

  /** The objects that a backup lists. @throws BackupTorn */
  objectsOf({ files }: BackupTarget, { objects }: Manifest): AsyncGenerator<BackedUpObject> {
    return fromLines<BackedUpObject>(unpacked(files.read(objects.index)));
  }

  private async compare(
    { files }: BackupTarget,
    place: string,
    { size, sha256 }: { size: number; sha256: string },
  ): Promise<void> {
    const hash = createHash('sha256');
    let read = 0;
    for await (const chunk of files.readRaw(place)) {
      hash.update(chunk);
      read += chunk.length;
    }
    if (read !== size || hash.digest('hex') !== sha256)
      throw new BackupTorn(`${place} has changed since it was written`);
  }

  private async count(
    { files }: BackupTarget,
    { name, place, documents }: { name: string; place: string; documents: number },
  ): Promise<void> {
    let found = 0;
    for await (const _ of bsonDocuments(unpacked(files.read(place)))) found += 1;
    if (found !== documents)
      throw new BackupTorn(`${place} holds ${String(found)} documents of ${name}, not ${String(documents)}`);
  }

  private async objects(
    target: BackupTarget,
    manifest: Manifest,
    tell: (problem: string) => void,
    seen: Set<string>,
  ): Promise<{ count: number; bytes: number }> {
    let [count, listed, bytes] = [0, 0, 0];
    const check = async ({ at, sha256, size, key }: BackedUpObject): Promise<number> => {
      if (at === null || seen.has(at)) return 0;
      seen.add(at);
      const digested = new Digested();
      await telling(tell, async () => {
        for await (const _ of digested.of(target.files.read(placeOfObject(at), OBJECT_PURPOSE)));
        if (digested.size !== size || digested.sha256() !== sha256)
          throw new BackupTorn(`${placeOfObject(at)}, the copy of ${key}, has changed since it was written`);
      });
      count += 1;
      return digested.size;
    };
    for await (const read of inOrderAhead(this.objectsOf(target, manifest), AT_ONCE, check)) {
      listed += 1;
      bytes += read;
    }
    if (listed !== manifest.objects.count) tell(`${manifest.objects.index} does not list all objects`);
    return { count, bytes };
  }
}

/** What is torn is told; whatever else fails is thrown. */
async function telling(tell: (problem: string) => void, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    // What is packed tells by codes of its own that it has changed.
    const isPacked = String((error as NodeJS.ErrnoException).code).startsWith('Z_');
    if (!(error instanceof BackupTorn) && !isPacked) throw error;
    tell((error as Error).message);
  }
}
