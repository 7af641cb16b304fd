import { Body, Controller, Delete, Get, Param, Patch, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Caller, RequireRole, type Principal } from '../common/access/access.js';
import { KeysMayNot } from '../common/access/key-scopes.js';
import { Returns } from '../common/openapi/returns.js';
import { SuccessResponse, UpdatedResponse } from '../common/responses/responses.dto.js';
import { ApiKeyCreate, ApiKeyCreated, ApiKeysPath } from './dto/access-keys.dto.js';
import {
  ServiceAccountCreate,
  ServiceAccountOut,
  ServiceAccountPath,
  ServiceAccountsOut,
  ServiceAccountUpdate,
  ServiceKeyPath,
} from './dto/service-accounts.dto.js';
import { ServiceAccounts } from './service-accounts.service.js';

/** Programs that work in an org as members do. Addition to the contract, docs/api-keys.md. */
@ApiTags('api-keys')
@Controller('orgs/:oid/service-accounts')
@KeysMayNot()
export class ServiceAccountsController {
  constructor(private readonly accounts: ServiceAccounts) {}

  /** Lists the org's service accounts with their keys. Nothing of them opens anything. */
  @Get()
  @RequireRole('owner')
  @Returns(ServiceAccountsOut)
  async listServiceAccounts(@Param() { oid }: ApiKeysPath): Promise<ServiceAccountsOut> {
    return { items: await this.accounts.list(oid) };
  }

  /** Makes a service account. It has no keys yet. @throws TooManyServiceAccounts */
  @Post()
  @RequireRole('owner')
  @Returns(ServiceAccountOut)
  createServiceAccount(
    @Param() { oid }: ApiKeysPath,
    @Caller() caller: Principal,
    @Body() body: ServiceAccountCreate,
  ): Promise<ServiceAccountOut> {
    return this.accounts.create(oid, caller, body);
  }

  /** Changes name and role of a service account, or stops all of its keys for now. @throws ServiceAccountNotFound */
  @Patch(':accountId')
  @RequireRole('owner')
  @Returns(UpdatedResponse, { notFound: true })
  async updateServiceAccount(
    @Param() { oid, accountId }: ServiceAccountPath,
    @Body() body: ServiceAccountUpdate,
  ): Promise<UpdatedResponse> {
    await this.accounts.change(oid, accountId, body);
    return { updated: true };
  }

  /** Deletes a service account with its keys. What it made stays. @throws ServiceAccountNotFound */
  @Delete(':accountId')
  @RequireRole('owner')
  @Returns(SuccessResponse, { notFound: true })
  async deleteServiceAccount(@Param() { oid, accountId }: ServiceAccountPath): Promise<SuccessResponse> {
    await this.accounts.delete(oid, accountId);
    return { success: true };
  }

  /**
   * Makes a key of a service account, which may do no more than its role. The answer has the key, which is not shown
   * again. @throws ServiceAccountNotFound, KeyScopeNotAllowed, KeyExpiryPast, KeyAddressInvalid, TooManyKeys
   */
  @Post(':accountId/api-keys')
  @RequireRole('owner')
  @Returns(ApiKeyCreated, { notFound: true })
  createServiceKey(
    @Param() { oid, accountId }: ServiceAccountPath,
    @Caller() caller: Principal,
    @Body() body: ApiKeyCreate,
  ): Promise<ApiKeyCreated> {
    return this.accounts.createKey(oid, accountId, caller, body);
  }

  /** Revokes a key of a service account, and with it the tokens got by it. @throws ServiceAccountNotFound, KeyNotFound */
  @Delete(':accountId/api-keys/:keyId')
  @RequireRole('owner')
  @Returns(SuccessResponse, { notFound: true })
  async revokeServiceKey(@Param() { oid, accountId, keyId }: ServiceKeyPath): Promise<SuccessResponse> {
    await this.accounts.revokeKey(oid, accountId, keyId);
    return { success: true };
  }
}
