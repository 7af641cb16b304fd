import { Body, Controller, Delete, Get, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, RequireRole, RequireUser, type Principal } from '../common/access/access.js';
import { KeysMayNot } from '../common/access/key-scopes.js';
import { Returns } from '../common/openapi/returns.js';
import { SuccessResponse } from '../common/responses/responses.dto.js';
import { AccessKeys } from './access-keys.service.js';
import {
  ApiKeyCreate,
  ApiKeyCreated,
  ApiKeyPath,
  ApiKeysOut,
  ApiKeysPath,
  OwnApiKeyPath,
} from './dto/access-keys.dto.js';

/** Keys that open one org. */
@ApiTags('api-keys')
@Controller('orgs/:oid/api-keys')
@KeysMayNot()
export class OrgKeysController {
  constructor(private readonly keys: AccessKeys) {}

  /** Lists the org's API keys. Nothing of them opens anything. */
  @Get()
  @RequireRole('owner')
  @Returns(ApiKeysOut)
  async listOrgKeys(@Param() { oid }: ApiKeysPath): Promise<ApiKeysOut> {
    return { items: await this.keys.list({ kind: 'org', id: oid }) };
  }

  /**
   * Makes an API key that opens this org only, never further than its creator may go at the time. The answer has the
   * key, which is not shown again. @throws SecondFactorDemanded, KeyScopeNotAllowed, KeyExpiryPast, KeyAddressInvalid, KeyLimitNeedsOrg, TooManyKeys
   */
  @Post()
  @RequireRole('owner')
  @Returns(ApiKeyCreated)
  createOrgKey(
    @Param() { oid }: ApiKeysPath,
    @Caller() caller: Principal,
    @Body() body: ApiKeyCreate,
  ): Promise<ApiKeyCreated> {
    return this.keys.create({ kind: 'org', id: oid }, caller, body);
  }

  /** Revokes an API key, and with it the tokens got by it. @throws KeyNotFound */
  @Delete(':keyId')
  @RequireRole('owner')
  @Returns(SuccessResponse, { notFound: true })
  async revokeOrgKey(@Param() { oid, keyId }: ApiKeyPath): Promise<SuccessResponse> {
    await this.keys.revoke({ kind: 'org', id: oid }, keyId);
    return { success: true };
  }
}

/** Keys that open all orgs of their creator. */
@ApiTags('api-keys')
@Controller('users/me/api-keys')
@KeysMayNot()
export class OwnKeysController {
  constructor(private readonly keys: AccessKeys) {}

  /** Lists the caller's personal API keys. Nothing of them opens anything. */
  @Get()
  @RequireUser()
  @Returns(ApiKeysOut)
  async listOwnKeys(@Caller() { id }: Principal): Promise<ApiKeysOut> {
    return { items: await this.keys.list({ kind: 'user', id }) };
  }

  /**
   * Makes a personal API key, for all orgs of the caller. The answer has the key, which is not shown again.
   * @throws SecondFactorDemanded, KeyScopeNotAllowed, KeyExpiryPast, KeyAddressInvalid, KeyLimitNeedsOrg, TooManyKeys
   */
  @Post()
  @RequireUser()
  @Returns(ApiKeyCreated)
  createOwnKey(@Caller() caller: Principal, @Body() body: ApiKeyCreate): Promise<ApiKeyCreated> {
    return this.keys.create({ kind: 'user', id: caller.id }, caller, body);
  }

  /** Revokes a personal API key, and with it the tokens got by it. @throws KeyNotFound */
  @Delete(':keyId')
  @RequireUser()
  @Returns(SuccessResponse, { notFound: true })
  async revokeOwnKey(@Param() { keyId }: OwnApiKeyPath, @Caller() { id }: Principal): Promise<SuccessResponse> {
    await this.keys.revoke({ kind: 'user', id }, keyId);
    return { success: true };
  }
}
