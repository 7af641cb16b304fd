import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import type { ObjectStore } from '../storage/object-store.js';
import { ObjectNotFound, StorageError } from '../storage/storage.errors.js';
import { Storages } from '../storage/storages.js';
import type { NamedFile, OwnStorages } from './data/database-snapshots.js';
import { inOrderAhead } from './rules/ahead.js';
import { placeOfObject, type BackedUpObject } from './target/manifest.js';
import { Digested, type TargetFiles } from './target/target-files.js';

/** Objects that are copied at once: one store may be slow, and most objects are small. */
const AT_ONCE = 4;
/** What sealed copies of objects prove to be. Which object one is, its digest proves. */
export const OBJECT_PURPOSE = 'object';

export interface CopyContext {
  readonly files: TargetFiles;
  readonly ownStorages: OwnStorages;
  readonly signal: AbortSignal;
  /** Called with the bytes of each object that was copied, and was not there before. */
  readonly copied: (bytes: number) => void;
}

/** What a store did wrong, apart from what the target does. */
class SourceFailed extends Error {}

interface Try {
  readonly object?: BackedUpObject;
  readonly problem?: string;
}

/** Copies stored objects into a target, each once, by the digest that is recorded of it. */
@Injectable()
export class ObjectCopier {
  constructor(private readonly storages: Storages) {}

  /** @returns what became of each file, in their order */
  copyAll(files: AsyncIterable<NamedFile>, context: CopyContext): AsyncGenerator<BackedUpObject> {
    return inOrderAhead(files, AT_ONCE, (file) => this.copy(file, context));
  }

  /** Where the copy of a file lies, if it is there already. */
  async known({ hash }: Pick<NamedFile, 'hash'>, { key, root }: TargetFiles): Promise<string | null> {
    if (hash === '') return null;
    const at = key ? key.nameOf(hash) : hash;
    return (await isThere(join(root, placeOfObject(at)))) ? at : null;
  }

  private async copy(file: NamedFile, context: CopyContext): Promise<BackedUpObject> {
    context.signal.throwIfAborted();
    const { oid, filename: key, hash: sha256, size } = file;
    const storages = [file.storage, ...(file.replicas ?? [])].map(({ name, custom }) => ({ name, custom }));
    const recorded = { oid, key, storages, size, sha256 };
    const at = await this.known(file, context.files);
    if (at !== null) return { ...recorded, at };
    const problems: string[] = [];
    let other: BackedUpObject | undefined;
    for (const ref of storages) {
      const { object, problem } = await this.copyFrom(ref, { file, recorded, context });
      if (object && problem === undefined) return object;
      other ??= object;
      problems.push(`${problem ?? ''} in ${ref.name}`);
    }
    return { ...(other ?? { ...recorded, at: null }), problem: problems.join(', ') };
  }

  private async copyFrom(
    ref: { readonly name: string; readonly custom: boolean },
    { file, recorded, context }: { file: NamedFile; recorded: Omit<BackedUpObject, 'at'>; context: CopyContext },
  ): Promise<Try> {
    const { files, ownStorages, signal, copied } = context;
    const owner = { customStorages: ownStorages.get(file.oid) ?? null };
    if (!this.storages.isKnown(owner, ref)) return { problem: 'the storage is not configured' };
    const digested = new Digested();
    let sha256 = '';
    const place = (): string => placeOfObject(nameOf((sha256 = digested.sha256()), files));
    try {
      const bytes = digested.of(bytesOf(this.storages.resolve(owner, ref), file.filename, signal));
      await files.write(place, bytes, { purpose: OBJECT_PURPOSE, signal });
    } catch (error) {
      if (!(error instanceof SourceFailed) || signal.aborted) throw error;
      return { problem: error.cause instanceof ObjectNotFound ? 'missing' : 'unreachable' };
    }
    copied(digested.size);
    const object = { ...recorded, size: digested.size, sha256, at: nameOf(sha256, files) };
    const isAsRecorded = file.hash === '' ? file.size === digested.size : file.hash === sha256;
    return isAsRecorded || file.isWrittenOver ? { object } : { object, problem: 'differs from its record' };
  }
}

const nameOf = (sha256: string, { key }: TargetFiles): string => (key ? key.nameOf(sha256) : sha256);

async function* bytesOf(store: ObjectStore, key: string, signal: AbortSignal): AsyncGenerator<Buffer> {
  try {
    const { body } = await store.get(key, { signal });
    try {
      for await (const chunk of body) yield chunk as Buffer;
    } finally {
      body.destroy();
    }
  } catch (error) {
    throw new SourceFailed(error instanceof StorageError ? error.message : 'the storage failed', { cause: error });
  }
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
