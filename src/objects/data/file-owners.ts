import { Injectable, type Provider } from '@nestjs/common';
import { getModelToken } from '@nestjs/mongoose';
import type { Model } from 'mongoose';
import { type FileFields, FileOwner } from './file-owner.js';

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
