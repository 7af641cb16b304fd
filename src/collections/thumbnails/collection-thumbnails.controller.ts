import { Controller, Delete, Param, Put, Query, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { Caller, CurrentOrg, RequireRole, type Principal } from '../../common/access/access.js';
import { Returns } from '../../common/openapi/returns.js';
import { AddedResponse, DeletedResponse } from '../../common/responses/responses.dto.js';
import { RawBody } from '../../common/validation/body-kind.js';
import type { Org } from '../../orgs/data/org.schema.js';
import { CollectionThumbnails } from './collection-thumbnails.js';
import { CollectionPath, ThumbnailQuery, ThumbnailUploadQuery } from '../dto/collection-queries.dto.js';
import { toThumbnailSource } from './thumbnail-source.js';

/** Stores and deletes the image of a collection. Contract: archive §7. */
@ApiTags('collections')
@Controller('orgs/:oid/collections/:coll_id/thumbnail')
export class CollectionThumbnailsController {
  constructor(private readonly thumbnails: CollectionThumbnails) {}

  /**
   * The request body is the image, at most 2,000,000 bytes. The image is encoded anew before it is stored.
   * @throws WriteRefused, CollectionNotFound, ThumbnailTooLarge, UploadFailed
   */
  @Put()
  @RawBody({ type: 'application/octet-stream', what: 'The image, of a kind that browsers show.' })
  @RequireRole('crawler')
  @Returns(AddedResponse)
  async putCollectionThumbnail(
    @Param() { coll_id: id }: CollectionPath,
    @Query() query: ThumbnailQuery,
    @CurrentOrg() org: Org,
    @Caller() caller: Principal,
    @Req() request: Request,
  ): Promise<AddedResponse> {
    const { filename } = query;
    await this.thumbnails.put(org, id, caller, { filename, source: toThumbnailSource(query), body: request });
    return { added: true };
  }

  /**
   * Stores an image of one's own, which was taken from no page of the collection. Addition: in the contract every
   * thumbnail names its page. The body is as for a page's.
   * @throws WriteRefused, CollectionNotFound, ThumbnailTooLarge, UploadFailed
   */
  @Put('upload')
  @RawBody()
  @RequireRole('crawler')
  @Returns(AddedResponse)
  async uploadOwnPicture(
    @Param() { coll_id: id }: CollectionPath,
    @Query() { filename }: ThumbnailUploadQuery,
    @CurrentOrg() org: Org,
    @Caller() caller: Principal,
    @Req() request: Request,
  ): Promise<AddedResponse> {
    await this.thumbnails.put(org, id, caller, { filename, source: null, body: request });
    return { added: true };
  }

  /** Deletes the picture of a collection. @throws CollectionNotFound, ThumbnailNotFound, FileDeletionError */
  @Delete()
  @RequireRole('crawler')
  @Returns(DeletedResponse)
  async deleteCollectionThumbnail(@Param() { oid, coll_id: id }: CollectionPath): Promise<DeletedResponse> {
    await this.thumbnails.delete(oid, id);
    return { deleted: true };
  }
}
