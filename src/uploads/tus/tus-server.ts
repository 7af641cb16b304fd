import { Server } from '@tus/server';
import { newId } from '../../common/ids/uuid.js';
import type { ResumableUploadsRepository } from '../data/resumable-uploads.repository.js';
import type { Uploader } from '../uploader.js';
import type { ResumableUploads } from './resumable-uploads.js';
import { TusStore } from './tus-store.js';
import { UploadLocker } from './upload-lock.js';

/** The largest number that clients of the protocol can send, and far above any store's object. */
const MAX_SIZE = Number.MAX_SAFE_INTEGER;

/** What the server needs to know of one request. */
interface TusRequest {
  readonly by: Uploader;
  /** From the path; null for the creation and the server's description. */
  readonly uploadId: string | null;
  /** Base of the address of a new upload. */
  readonly origin: () => string;
  readonly locks: ResumableUploadsRepository;
}

/** The protocol's server for one request. */
export function tusServer(uploads: ResumableUploads, { by, uploadId, origin, locks }: TusRequest): Server {
  const oid = by.org._id;
  const path = `/api/orgs/${oid}/uploads/tus`;
  return new Server({
    path,
    datastore: new TusStore(uploads, by),
    locker: new UploadLocker(locks, oid),
    maxSize: MAX_SIZE,
    // Other origins are let in by a proxy, as for the rest of the API.
    allowedOrigins: [],
    namingFunction: () => newId(),
    getFileIdFromRequest: () => uploadId ?? undefined,
    generateUrl: (_request, { id }) => `${origin()}${path}/${id}`,
    onUploadFinish: async (_request, { id }) => {
      const itemId = await uploads.finish(by.org, id);
      return { headers: { 'Upload-Item-Id': itemId ?? '' } };
    },
    onResponseError: (_request, error) => {
      // The protocol's refusals are objects with a status; all others are answered as everywhere in the API.
      if (!('status_code' in error)) throw error;
      // Using an extension that `Tus-Extension` does not list is the client's fault; 501 would be the service's.
      return error.status_code === 501 ? { ...error, status_code: 400 } : undefined;
    },
  });
}
