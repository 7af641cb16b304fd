import { Injectable } from '@nestjs/common';
import type { BackupTarget } from './target/backup-target.js';
import { BackupLease } from './backup-lease.js';
import { BackupVerifier } from './backup-verifier.js';
import { toPrune, type Retention } from './rules/retention.js';
import { placeOfObject } from './target/manifest.js';

/** Deletes backups that are not kept any longer, and the objects that none of the others names. */
@Injectable()
export class BackupPruner {
  constructor(
    private readonly held: BackupLease,
    private readonly verifier: BackupVerifier,
  ) {}

  /** @returns ids of the backups that went, and how many objects. @throws BackupTorn when a list cannot be read */
  prune(
    target: BackupTarget,
    keep: Retention,
    signal: AbortSignal,
  ): Promise<{ readonly ids: string[]; readonly objects: number }> {
    return this.held.hold(async () => {
      const manifests = await Promise.all((await target.ids()).map((id) => target.manifest(id)));
      const ids = toPrune(
        manifests.map(({ id, taken }) => ({ id, taken: new Date(taken) })),
        keep,
      );
      if (ids.length === 0) return { ids, objects: 0 };
      // All lists are read before anything goes.
      const named = new Set<string>();
      for (const manifest of manifests)
        if (!ids.includes(manifest.id))
          for await (const { at } of this.verifier.objectsOf(target, manifest)) if (at !== null) named.add(at);
      for (const id of ids) await target.remove(id);
      let objects = 0;
      for await (const name of target.objectNames()) {
        signal.throwIfAborted();
        if (named.has(name)) continue;
        await target.files.remove(placeOfObject(name));
        objects += 1;
      }
      return { ids, objects };
    }, signal);
  }
}
