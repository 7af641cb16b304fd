import type { Readable } from 'node:stream';
import { DataStore, Upload } from '@tus/server';
import type { Uploader } from '../uploader.js';
import type { ResumableUploads } from './resumable-uploads.js';

/** An org's resumable uploads in one request, in the form that the tus server needs. */
export class TusStore extends DataStore {
  override extensions = ['creation', 'creation-with-upload', 'termination', 'expiration'];

  constructor(
    private readonly uploads: ResumableUploads,
    private readonly by: Uploader,
  ) {
    super();
  }

  override async create(upload: Upload): Promise<Upload> {
    const { id, size = 0, metadata = {} } = upload;
    await this.uploads.create(this.by, { id, size, metadata });
    return upload;
  }

  /** If a crash kept a complete upload from becoming an item, it becomes one here: clients ask before they continue. */
  override async getUpload(id: string): Promise<Upload> {
    const { _id: oid } = this.by.org;
    const { size, offset, metadata, itemId } = await this.uploads.get(oid, id);
    if (offset === size && itemId === null) await this.uploads.finish(this.by.org, id);
    return new Upload({ id, size, offset, metadata });
  }

  override async write(body: Readable, id: string, offset: number): Promise<number> {
    return this.uploads.write(this.by.org, id, body, offset);
  }

  override async remove(id: string): Promise<void> {
    await this.uploads.get(this.by.org._id, id);
    await this.uploads.remove(this.by.org._id, id);
  }

  /** Zero turns off the library's expiry. The controller reports expiry and `ResumableUploads` enforces it. */
  override getExpiration(): number {
    return 0;
  }
}
