import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { RequireRole } from '../../common/access/access.js';
import { Returns } from '../../common/openapi/returns.js';
import { DeletedResponse, SuccessResponse, UpdatedResponse } from '../../common/responses/responses.dto.js';
import { DedupeIndex } from './dedupe-index.js';
import { CollectionPath } from '../dto/collection-queries.dto.js';
import { DeleteDedupeIndex } from '../dto/dedupe-index.dto.js';

/** Makes, purges and deletes dedupe indexes. Contract: archive §7.3. */
@ApiTags('collections', 'dedupe')
@Controller('orgs/:oid/collections/:coll_id/dedupeIndex')
export class DedupeIndexController {
  constructor(private readonly index: DedupeIndex) {}

  /** Makes an index of what the collection holds already. @throws CollectionNotFound, IndexAlreadyExists */
  @Post('create')
  @RequireRole('crawler')
  @Returns(SuccessResponse)
  async createDedupeIndex(@Param() { oid, coll_id: id }: CollectionPath): Promise<SuccessResponse> {
    await this.index.create(oid, id);
    return { success: true };
  }

  /** Makes the index anew, without what the collection lost. @throws NoDedupeIndex, DedupeIndexNotReady, PurgeJobAlreadyRunning */
  @Post('purge')
  @RequireRole('owner')
  @Returns(UpdatedResponse)
  async purgeDedupeIndex(@Param() { oid, coll_id: id }: CollectionPath): Promise<UpdatedResponse> {
    await this.index.purge(oid, id);
    return { updated: true };
  }

  /** With the option, workflows forget the index too. @throws NoDedupeIndex, DedupeIndexInUse, FileDeletionError */
  @Post('delete')
  @RequireRole('owner')
  @Returns(DeletedResponse)
  async deleteDedupeIndex(
    @Param() { oid, coll_id: id }: CollectionPath,
    @Body() { removeFromWorkflows }: DeleteDedupeIndex,
  ): Promise<DeletedResponse> {
    await this.index.delete(oid, id, removeFromWorkflows);
    return { deleted: true };
  }
}
