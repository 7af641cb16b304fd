import { Controller, Delete, Head, Options, Param, Patch, Post, Res } from '@nestjs/common';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { NotAudited } from '../../audit/not-audited.js';
import { RequireRole } from '../../common/access/access.js';
import { KeyScopeIs } from '../../common/access/key-scopes.js';
import { RawBody } from '../../common/validation/body-kind.js';
import { UploadsPath, TusUploadPath } from '../dto/uploads.dto.js';
import { Call, type TusCall } from './tus-call.js';
import { TusEndpoint } from './tus-endpoint.js';
import { overrideMethod } from './tus-protocol.js';

/** The media type of tus 1.0. */
const TUS_BYTES = 'application/offset+octet-stream';

/**
 * Resumable uploads by the tus protocol 1.0 with its extensions creation, creation-with-upload, termination and
 * expiration.
 */
@ApiTags('uploads')
@Controller('orgs/:oid/uploads/tus')
@RequireRole('crawler')
@KeyScopeIs('uploads:write')
export class TusController {
  constructor(private readonly endpoint: TusEndpoint) {}

  /** Returns the server's versions and extensions in headers. */
  @Options()
  @ApiResponse({ status: 204, description: 'The headers say it.' })
  async describeResumableUploads(
    @Param() _path: UploadsPath,
    @Call() call: TusCall,
    @Res() response: Response,
  ): Promise<void> {
    await this.endpoint.handle(call, null, response);
  }

  /**
   * Begins an upload of `Upload-Length` bytes. `Upload-Metadata` has `filename` and may have `name`, `description`,
   * `collections`, `tags` and `replaceId`. Send the bytes to the answer's `Location`. 403 `storage_quota_reached`,
   * `org_set_to_read_only`; 404 `collection_not_found`; 429 `too_many_open_uploads`.
   */
  @Post()
  @ApiResponse({ status: 201, description: '`Location` is the upload.' })
  @RawBody({ type: TUS_BYTES, what: 'The first bytes of the file, if they come along.', required: false })
  async createResumableUpload(
    @Param() _path: UploadsPath,
    @Call() call: TusCall,
    @Res() response: Response,
  ): Promise<void> {
    await this.endpoint.handle(call, null, response);
  }

  /** Returns the progress of an upload in `Upload-Offset` and `Upload-Length`. */
  @Head(':upload_id')
  @ApiResponse({ status: 200, description: 'The headers say it.' })
  async getResumableUpload(
    @Param() path: TusUploadPath,
    @Call() call: TusCall,
    @Res() response: Response,
  ): Promise<void> {
    await this.endpoint.handle(call, path.upload_id, response);
  }

  /**
   * Takes bytes from `Upload-Offset` on. The last byte makes the upload an item; its id is in `Upload-Item-Id`. 400
   * `upload_still_processing`, `too_many_pieces`; 403 `storage_quota_reached`; 503 `upload_interrupted`.
   */
  @Patch(':upload_id')
  @NotAudited('one of many pieces; the item that the last one makes is told by itself')
  @ApiResponse({ status: 204, description: '`Upload-Offset` says how many bytes are there now.' })
  @RawBody({ type: TUS_BYTES, what: 'The bytes from `Upload-Offset` on.' })
  async appendToResumableUpload(
    @Param() path: TusUploadPath,
    @Call() call: TusCall,
    @Res() response: Response,
  ): Promise<void> {
    await this.endpoint.handle(call, path.upload_id, response);
  }

  /** Acts as `PATCH` or `DELETE`, as `X-HTTP-Method-Override` says, for networks that block these methods. */
  @Post(':upload_id')
  @ApiResponse({ status: 204, description: 'As of the method that is stood in for.' })
  @RawBody({ type: TUS_BYTES, what: 'As of the method that is stood in for.', required: false })
  async overrideResumableUpload(
    @Param() path: TusUploadPath,
    @Call() call: TusCall,
    @Res() response: Response,
  ): Promise<void> {
    overrideMethod(call.request);
    await this.endpoint.handle(call, path.upload_id, response);
  }

  /** Deletes an upload and its bytes. The item of a complete upload stays. */
  @Delete(':upload_id')
  @ApiResponse({ status: 204, description: 'The upload is gone.' })
  async deleteResumableUpload(
    @Param() path: TusUploadPath,
    @Call() call: TusCall,
    @Res() response: Response,
  ): Promise<void> {
    await this.endpoint.handle(call, path.upload_id, response);
  }
}
