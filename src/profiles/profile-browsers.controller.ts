import { Body, Controller, Delete, Get, Param, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { NotAudited } from '../audit/not-audited.js';
import { Caller, CurrentOrg, RequireRole, type Principal } from '../common/access/access.js';
import { KeysMayNot } from '../common/access/key-scopes.js';
import { tokenOf } from '../common/access/token.js';
import { AddressOfRequest, type RequestAddress } from '../common/http/request-address.js';
import { Returns } from '../common/openapi/returns.js';
import { SuccessResponse } from '../common/responses/responses.dto.js';
import type { Org } from '../orgs/data/org.schema.js';
import { EmptyResponse } from '../pages/dto/pages.dto.js';
import { BrowserView } from './browser-view.js';
import {
  BrowserId,
  ProfileBrowserGetUrlResponse,
  ProfileLaunchBrowserIn,
  ProfilePingResponse,
  UrlIn,
} from './dto/profile-browsers.dto.js';
import { BrowserPath, ProfilesPath } from './dto/profiles.dto.js';
import { ProfileBrowsers, type WaitingForBrowser } from './profile-browsers.js';

/** Browsers to prepare profiles in. While one starts, calls answer 200 `{"detail": "waiting_for_browser"}`. */
@ApiTags('profiles')
@Controller('orgs/:oid/profiles/browser')
export class ProfileBrowsersController {
  constructor(
    private readonly browsers: ProfileBrowsers,
    private readonly view: BrowserView,
  ) {}

  /** Starts a browser, empty or from a profile. The browser ends 30 s after the last call for it. */
  @Post()
  @Returns(BrowserId, { notFound: true })
  @RequireRole('crawler')
  async launchProfileBrowser(
    @Param() _path: ProfilesPath,
    @CurrentOrg() org: Org,
    @Caller() actor: Principal,
    @Body() body: ProfileLaunchBrowserIn,
  ): Promise<BrowserId> {
    return { browserid: await this.browsers.launch(org, actor, body) };
  }

  /** Keeps the browser alive and returns the origins visited so far. */
  @Post(':browserid/ping')
  @NotAudited('keeps a browser going that was opened, every few seconds')
  @Returns(ProfilePingResponse, { notFound: true })
  @RequireRole('crawler')
  async ping(@Param() { oid, browserid }: BrowserPath): Promise<ProfilePingResponse | WaitingForBrowser> {
    const answer = await this.browsers.ping(oid, browserid);
    return 'detail' in answer ? answer : { success: true, ...answer };
  }

  /** Opens a page in the browser. */
  @Post(':browserid/navigate')
  @Returns(SuccessResponse, { notFound: true })
  @RequireRole('crawler')
  async navigateProfileBrowser(
    @Param() { oid, browserid }: BrowserPath,
    @Body() { url }: UrlIn,
  ): Promise<SuccessResponse | WaitingForBrowser> {
    return (await this.browsers.navigate(oid, browserid, url)) ?? { success: true };
  }

  /** Returns the address of the interactive view, which contains the caller's token. */
  @Get(':browserid')
  @KeysMayNot()
  @Returns(ProfileBrowserGetUrlResponse, { notFound: true })
  @RequireRole('crawler')
  async get(
    @Param() { oid, browserid }: BrowserPath,
    @Req() request: Request,
    @AddressOfRequest() { forwarded, own }: RequestAddress,
  ): Promise<ProfileBrowserGetUrlResponse | WaitingForBrowser> {
    const origin = forwarded ?? own ?? 'http://localhost';
    return this.view.addressOf(oid, browserid, { origin, token: tokenOf(request) ?? '' });
  }

  /** Tells proxies in front whether the caller may see the browser. */
  @Get(':browserid/access')
  @Returns(EmptyResponse, { notFound: true })
  @RequireRole('crawler')
  async checkProfileBrowserAccess(@Param() { oid, browserid }: BrowserPath): Promise<EmptyResponse> {
    await this.browsers.find(oid, browserid);
    return {};
  }

  /** Ends the browser. Unsaved state is lost. */
  @Delete(':browserid')
  @Returns(SuccessResponse, { notFound: true })
  @RequireRole('crawler')
  async delete(@Param() { oid, browserid }: BrowserPath): Promise<SuccessResponse> {
    await this.browsers.remove(oid, browserid);
    return { success: true };
  }
}
