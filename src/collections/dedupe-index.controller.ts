import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RequireRole } from '../common/access/access.js';
import { Returns } from '../common/openapi/returns.js';
import { DeletedResponse, SuccessResponse, UpdatedResponse } from '../common/responses/responses.dto.js';
import { DedupeIndex } from './dedupe-index.js';
import { CollectionPath } from './dto/collection-queries.dto.js';
import { DeleteDedupeIndex } from './dto/dedupe-index.dto.js';

/** Makes, purges and deletes dedupe indexes. Contract: archive §7.3. */
@ApiTags('collections', 'dedupe')
@Controller('orgs/:oid/collections/:coll_id/dedupeIndex')
export class DedupeIndexController {
  constructor(private readonly index: DedupeIndex) {}

  /** @throws CollectionNotFound, IndexAlreadyExists, DedupeCrawlerImageNotDefined */
  @Post('create')
  @RequireRole('crawler')
  @Returns(SuccessResponse)
  async create(@Param() { oid, coll_id: id }: CollectionPath): Promise<SuccessResponse> {
    return this.index.create(oid, id);
  }

  /** @throws NoDedupeIndex, DedupeIndexNotReady, DedupeCrawlerImageNotDefined */
  @Post('purge')
  @RequireRole('owner')
  @Returns(UpdatedResponse)
  async purge(@Param() { oid, coll_id: id }: CollectionPath): Promise<UpdatedResponse> {
    return this.index.purge(oid, id);
  }

  /** With the option, workflows forget the index too. @throws NoDedupeIndex, DedupeIndexInUse, FileDeletionError */
  @Post('delete')
  @RequireRole('owner')
  @Returns(DeletedResponse)
  async delete(
    @Param() { oid, coll_id: id }: CollectionPath,
    @Body() { removeFromWorkflows }: DeleteDedupeIndex,
  ): Promise<DeletedResponse> {
    await this.index.delete(oid, id, removeFromWorkflows);
    return { deleted: true };
  }
}
