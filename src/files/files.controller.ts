import { Controller, Delete, Get, Param, Put, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Caller, CurrentOrg, RequireRole, type Principal } from '../common/access/access.js';
import { PublicOrigin } from '../links/origins.js';
import { Returns } from '../common/openapi/returns.js';
import { AddedResponseId, SuccessResponse } from '../common/responses/responses.dto.js';
import { RawBody } from '../common/validation/body-kind.js';
import type { Org } from '../orgs/data/org.schema.js';
import {
  FileListQuery,
  FilePath,
  FilesPath,
  SeedFileQuery,
  PaginatedUserFileResponse,
  SeedFileOut,
} from './dto/files.dto.js';
import { NewSeedFiles } from './new-seed-files.js';
import { SeedFileReader } from './seed-file-reader.js';
import { SeedFiles } from './seed-files.js';

@ApiTags('userfiles')
@Controller('orgs/:oid/files')
export class FilesController {
  constructor(
    private readonly files: SeedFiles,
    private readonly newFiles: NewSeedFiles,
    private readonly reader: SeedFileReader,
  ) {}

  /**
   * Stores a text file of start URLs, one per line; the request body is the file, at most 25,000,000 bytes.
   * 400 `invalid_extension`, `max_size_25_mb_exceeded`, `invalid_seed_file`, `upload_failed`.
   */
  @Put('seedFile')
  @RawBody({ type: 'application/octet-stream', what: 'The file: text in UTF-8, one URL on each line.' })
  @Returns(AddedResponseId, { notFound: true })
  @RequireRole('crawler')
  async addSeedFile(
    @Param() _path: FilesPath,
    @CurrentOrg() org: Org,
    @Caller() actor: Principal,
    @Query() { filename }: SeedFileQuery,
    @Req() request: Request,
  ): Promise<AddedResponseId> {
    return { added: true, id: await this.newFiles.add(org, actor, filename, request) };
  }

  /** Lists the org's seed files. */
  @Get()
  @Returns(PaginatedUserFileResponse, { notFound: true })
  @RequireRole('viewer')
  async listSeedFiles(
    @Param() _path: FilesPath,
    @CurrentOrg() org: Org,
    @Query() query: FileListQuery,
    @PublicOrigin() origin: string,
  ): Promise<PaginatedUserFileResponse> {
    return this.reader.list(org, query, origin);
  }

  /** Returns one seed file with a download URL. */
  @Get(':file_id')
  @Returns(SeedFileOut, { notFound: true })
  @RequireRole('viewer')
  async getSeedFile(
    @Param() { file_id: fileId }: FilePath,
    @CurrentOrg() org: Org,
    @PublicOrigin() origin: string,
  ): Promise<SeedFileOut> {
    return this.reader.get(org, fileId, origin);
  }

  /** Deletes a seed file that no workflow or crawl refers to; 400 `seed_file_in_use` otherwise. */
  @Delete(':file_id')
  @Returns(SuccessResponse, { notFound: true })
  @RequireRole('crawler')
  async deleteSeedFile(@Param() { oid, file_id: fileId }: FilePath): Promise<SuccessResponse> {
    await this.files.delete(oid, fileId);
    return { success: true };
  }
}
