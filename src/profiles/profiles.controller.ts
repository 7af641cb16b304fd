import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, CurrentOrg, RequireRole, type Principal } from '../common/access/access.js';
import { Returns } from '../common/openapi/returns.js';
import { AddedResponseIdQuota, UpdatedResponse, TagsResponse } from '../common/responses/responses.dto.js';
import type { Org } from '../orgs/data/org.schema.js';
import {
  PaginatedProfileResponse,
  ProfileCreate,
  ProfileListQuery,
  ProfilePath,
  ProfilesPath,
  ProfileSearchValuesResponse,
  ProfileUpdate,
  Profile,
  SuccessResponseStorageQuota,
} from './dto/profiles.dto.js';
import type { WaitingForBrowser } from './profile-browsers.js';
import { ProfileChanges } from './profile-changes.js';
import { ProfilesService } from './profiles.service.js';

@ApiTags('profiles')
@Controller('orgs/:oid/profiles')
export class ProfilesController {
  constructor(
    private readonly profiles: ProfilesService,
    private readonly changes: ProfileChanges,
  ) {}

  /** Lists the org's profiles. */
  @Get()
  @Returns(PaginatedProfileResponse, { notFound: true })
  @RequireRole('crawler')
  async list(@Param() { oid }: ProfilesPath, @Query() query: ProfileListQuery): Promise<PaginatedProfileResponse> {
    return this.profiles.list(oid, query);
  }

  /** Saves a browser as a new profile. Repeat the call while the answer is `{"detail": "waiting_for_browser"}`. */
  @Post()
  @Returns(AddedResponseIdQuota, { notFound: true })
  @RequireRole('crawler')
  async create(
    @Param() _path: ProfilesPath,
    @CurrentOrg() org: Org,
    @Caller() actor: Principal,
    @Body() body: ProfileCreate,
  ): Promise<AddedResponseIdQuota | WaitingForBrowser> {
    return this.changes.create(org, actor, body);
  }

  /** Lists tags with the number of their profiles, most used first. */
  @Get('tagCounts')
  @Returns(TagsResponse, { notFound: true })
  @RequireRole('viewer')
  async countProfileTags(@Param() { oid }: ProfilesPath): Promise<TagsResponse> {
    return { tags: await this.profiles.tagCounts(oid) };
  }

  /** Lists distinct names. */
  @Get('search-values')
  @Returns(ProfileSearchValuesResponse, { notFound: true })
  @RequireRole('viewer')
  async getProfileSearchValues(@Param() { oid }: ProfilesPath): Promise<ProfileSearchValuesResponse> {
    return { names: await this.profiles.names(oid) };
  }

  /** Returns one profile. */
  @Get(':profileid')
  @Returns(Profile, { notFound: true })
  @RequireRole('crawler')
  async get(@Param() { oid, profileid }: ProfilePath): Promise<Profile> {
    return this.profiles.get(oid, profileid);
  }

  /** Changes name, description and tags; with `browserid`, the saved state itself. */
  @Patch(':profileid')
  @Returns(UpdatedResponse, { notFound: true })
  @RequireRole('crawler')
  async update(
    @Param() { profileid }: ProfilePath,
    @CurrentOrg() org: Org,
    @Caller() actor: Principal,
    @Body() body: ProfileUpdate,
  ): Promise<UpdatedResponse | WaitingForBrowser> {
    return this.changes.update(org, actor, profileid, body);
  }

  /** Deletes a profile that no workflow uses; 400 `profile_in_use` otherwise. */
  @Delete(':profileid')
  @Returns(SuccessResponseStorageQuota, { notFound: true })
  @RequireRole('crawler')
  async delete(@Param() { oid, profileid }: ProfilePath): Promise<SuccessResponseStorageQuota> {
    return this.changes.delete(oid, profileid);
  }
}
