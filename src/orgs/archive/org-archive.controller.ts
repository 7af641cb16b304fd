import { Readable } from 'node:stream';
import { Controller, Get, Param, Post, Query, Req, StreamableFile } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { CurrentOrg, RequireSuperuser } from '../../common/access/access.js';
import { Returns } from '../../common/openapi/returns.js';
import { anyObject } from '../../common/validation/scalars.js';
import { RawBody } from '../../common/validation/body-kind.js';
import type { Org } from '../data/org.schema.js';
import { OrgImportResponse, OrgImportQuery, OrgPath } from '../dto/orgs.dto.js';
import { OrgExport } from './org-export.js';
import { OrgImport } from './org-import.js';

@ApiTags('organizations')
@Controller('orgs')
export class OrgArchiveController {
  constructor(
    private readonly exports: OrgExport,
    private readonly imports: OrgImport,
  ) {}

  /** Imports an org from its export. Its files have to be in the storage already. */
  @Post('import/json')
  @RequireSuperuser()
  @RawBody({ type: 'application/octet-stream', what: 'What an export of an org sent, byte for byte.' })
  @Returns(OrgImportResponse)
  async importOrg(@Query() query: OrgImportQuery, @Req() request: Request): Promise<OrgImportResponse> {
    const { ignoreVersion, storageName } = query;
    // A client reads a refusal only if the rest of its body is read from the connection.
    const body = request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
    await this.imports
      .import(body, { ignoreVersion, storageName: storageName ?? null })
      .finally(() => request.resume());
    return { imported: true };
  }

  /** Exports an org as JSON: its documents, without the files. */
  @Get(':oid/export/json')
  @RequireSuperuser('Not Allowed', 'owner')
  @Returns(anyObject(), { notFound: true })
  async exportOrg(@Param() _path: OrgPath, @CurrentOrg() org: Org): Promise<StreamableFile> {
    const pieces = await this.exports.export(org);
    return new StreamableFile(Readable.from(pieces, { objectMode: false }), { type: 'application/json' });
  }
}
