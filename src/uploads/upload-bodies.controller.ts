import { Controller, Param, Put, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Caller, CurrentOrg, RequireRole, type Principal } from '../common/access/access.js';
import { MultipartBody, Returns } from '../common/openapi/returns.js';
import { UploadForm, StreamUploadQuery, UploadQuery, UploadsPath } from './dto/uploads.dto.js';
import { AddedResponseIdQuota } from '../common/responses/responses.dto.js';
import { RawBody } from '../common/validation/body-kind.js';
import type { Org } from '../orgs/data/org.schema.js';
import { UploadIngester } from './upload-ingester.js';
import { parseUploadInput } from './upload-input.js';

/** Reads repeated parameters; the declared query keeps only the last one. */
const queryOf = ({ originalUrl }: Request): URLSearchParams => new URLSearchParams(originalUrl.replace(/^[^?]*/, ''));

/** Receives files. Contract: archive §4. */
@ApiTags('uploads')
@Controller('orgs/:oid/uploads')
export class UploadBodiesController {
  constructor(private readonly ingester: UploadIngester) {}

  /**
   * Makes one item from one or more files, the form's parts named `uploads`. 400 `upload_failed`; 403
   * `storage_quota_reached`, `org_set_to_read_only`; 404 `collection_not_found`.
   */
  @Put('formdata')
  @MultipartBody(UploadForm)
  @RawBody()
  @RequireRole('crawler')
  @Returns(AddedResponseIdQuota)
  async uploadForm(
    @Param() _path: UploadsPath,
    @Query() _query: UploadQuery,
    @CurrentOrg() org: Org,
    @Caller() actor: Principal,
    @Req() request: Request,
  ): Promise<AddedResponseIdQuota> {
    const accepted = await this.ingester.form({ org, actor }, parseUploadInput(queryOf(request)), request);
    return { added: true, ...accepted };
  }

  /**
   * Makes one item from one file, the request's body. With `replaceId` it replaces another upload. Errors as for forms;
   * 400 `upload_still_processing` for an upload that cannot be replaced yet.
   */
  @Put('stream')
  @RawBody({ type: 'application/octet-stream', what: 'The WACZ, byte for byte.' })
  @RequireRole('crawler')
  @Returns(AddedResponseIdQuota)
  async uploadStream(
    @Param() _path: UploadsPath,
    @Query() { filename: originalName, replaceId }: StreamUploadQuery,
    @CurrentOrg() org: Org,
    @Caller() actor: Principal,
    @Req() request: Request,
  ): Promise<AddedResponseIdQuota> {
    const input = parseUploadInput(queryOf(request));
    const accepted = await this.ingester.stream({ org, actor }, input, { originalName, replaceId }, request);
    return { added: true, ...accepted };
  }
}
