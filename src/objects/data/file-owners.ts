import { Injectable, type Provider } from '@nestjs/common';
import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { type FileFields, FileOwner, type RecordedFile } from './file-owner.js';
import type { StoredStorageRef } from './stored-file.schema.js';

/** All kinds of documents that record files. Rooms register theirs with `ownsFiles`. */
@Injectable()
export class FileOwners {
  private readonly byKind = new Map<string, FileOwner>();

  add(owner: FileOwner): FileOwner {
    this.byKind.set(owner.fields.kind, owner);
    return owner;
  }

  all(): FileOwner[] {
    return [...this.byKind.values()];
  }

  of(kind: FileFields['kind']): FileOwner {
    const owner = this.byKind.get(kind);
    if (!owner) throw new Error(`nobody owns files of kind ${kind}`);
    return owner;
  }

  /** Returns the files of a document, or of the one to which they moved; none when both are gone. */
  async filesOf(kind: FileFields['kind'], oid: string, id: string): Promise<RecordedFile[]> {
    const files: RecordedFile[] = [];
    // In this order a move is never missed.
    for (const owner of this.line(kind)) files.push(...(await owner.filesOf(oid, id)));
    return files;
  }

  /** Returns those that are copied to replica storages. */
  async copiedFilesOf(kind: FileFields['kind'], oid: string, id: string): Promise<RecordedFile[]> {
    const files: RecordedFile[] = [];
    for (const owner of this.line(kind)) files.push(...(await owner.copiedFilesOf(oid, id)));
    return files;
  }

  /** Records a copy of a file, wherever it moved. @returns false when the file is gone */
  async addReplica(
    { kind, oid, id }: { readonly kind: FileFields['kind']; readonly oid: string; readonly id: string },
    filename: string,
    storage: StoredStorageRef,
  ): Promise<boolean> {
    for (const owner of this.line(kind)) if (await owner.addReplica(oid, id, filename, storage)) return true;
    return false;
  }

  /** The documents of a kind, and those to which their files may move. */
  private line(kind: FileFields['kind']): FileOwner[] {
    const owner = this.of(kind);
    return owner.fields.movesTo ? [owner, this.of(owner.fields.movesTo)] : [owner];
  }

  /** Whether some file of the org is in the org's own storage of this name, or is about to be written there. */
  async isStorageInUse(oid: string, name: string): Promise<boolean> {
    for (const owner of this.all()) if (await owner.isStorageInUse(oid, name)) return true;
    return false;
  }
}

/** Makes a provider for a room's data module. It registers that the documents of this class record files. */
export const ownsFiles = (of: { readonly name: string }, fields: FileFields): Provider => ({
  provide: `files of ${of.name}`,
  inject: [FileOwners, getModelToken(of.name)],
  useFactory: (owners: FileOwners, model: Model<never>) => owners.add(new FileOwner(model, fields)),
});
