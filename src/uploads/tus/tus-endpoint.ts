import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { Links } from '../../links/links.js';
import { ResumableUploadsRepository } from '../data/resumable-uploads.repository.js';
import { dropRest } from '../../common/http/drop-rest.js';
import { ResumableUploads } from './resumable-uploads.js';
import type { TusCall } from './tus-call.js';
import { speaksProtocol } from './tus-protocol.js';

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
    // The protocol's library is loaded with the first upload: it takes 3 MB of memory.
    const { tusServer } = await import('./tus-server.js');
    const server = tusServer(this.uploads, {
      by,
      uploadId,
      origin: () => this.links.inAnswer(address),
      locks: this.repository,
    });
    try {
      await server.handle(request, response);
    } catch (error) {
      dropRest(request);
      throw error;
    }
  }
}
