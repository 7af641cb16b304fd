import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Server } from '@tus/server';
import { newId } from '../../common/ids/uuid.js';
import { Links } from '../../links/links.js';
import { ResumableUploadsRepository } from '../data/resumable-uploads.repository.js';
import { dropRest } from '../../common/http/drop-rest.js';
import { ResumableUploads } from './resumable-uploads.js';
import type { TusCall } from './tus-call.js';
import { speaksProtocol } from './tus-protocol.js';
import { TusStore } from './tus-store.js';
import { UploadLocker } from './upload-lock.js';

/** The largest number that clients of the protocol can send, and far above any store's object. */
const MAX_SIZE = Number.MAX_SAFE_INTEGER;

/** Answers requests of the tus protocol 1.0 (https://tus.io). */
@Injectable()
export class TusEndpoint {
  constructor(
    private readonly uploads: ResumableUploads,
    private readonly repository: ResumableUploadsRepository,
    private readonly links: Links,
  ) {}

  /**
   * @param uploadId from the path; null for the creation and the server's description
   * @throws DomainError, InputRefused, for the service's own refusals; the protocol's are answered here
   */
  async handle({ by, request, address }: TusCall, uploadId: string | null, response: Response): Promise<void> {
    response.setHeader('Tus-Resumable', '1.0.0');
    if (!speaksProtocol(request, response)) return;
    if (request.method === 'POST' || request.method === 'PATCH') {
      response.setHeader('Upload-Expires', this.uploads.expiresFromNow().toUTCString());
    }
    const oid = by.org._id;
    const path = `/api/orgs/${oid}/uploads/tus`;
    const server = new Server({
      path,
      datastore: new TusStore(this.uploads, by),
      locker: new UploadLocker(this.repository, oid),
      maxSize: MAX_SIZE,
      // Other origins are let in by a proxy, as for the rest of the API.
      allowedOrigins: [],
      namingFunction: () => newId(),
      getFileIdFromRequest: () => uploadId ?? undefined,
      generateUrl: (_request, { id }) => `${this.links.inAnswer(address)}${path}/${id}`,
      onUploadFinish: async (_request, { id }) => {
        const itemId = await this.uploads.finish(by.org, id);
        return { headers: { 'Upload-Item-Id': itemId ?? '' } };
      },
      onResponseError: (_request, error) => {
        // The protocol's refusals are objects with a status; all others are answered as everywhere in the API.
        if (!('status_code' in error)) throw error;
        // Using an extension that `Tus-Extension` does not list is the client's fault; 501 would be the service's.
        return error.status_code === 501 ? { ...error, status_code: 400 } : undefined;
      },
    });
    try {
      await server.handle(request, response);
    } catch (error) {
      dropRest(request);
      throw error;
    }
  }
}
