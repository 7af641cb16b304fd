import { Injectable } from '@nestjs/common';
import { OpensSocket, type SocketPeer } from '../common/http/socket-upgrades.js';
import { BrowserDriver } from '../drivers/browser-driver.js';
import type { ProfileBrowserGetUrlResponse } from './dto/profile-browsers.dto.js';
import { ProfileBrowsers, WAITING_FOR_BROWSER, type WaitingForBrowser } from './profile-browsers.js';
import { NoSuchBrowser } from './profiles.errors.js';

/** Scale at which clients embed the view. Contract: archive §8. */
const SCALE = 0.75;

export interface ViewRequest {
  /** `scheme://host` under which the view is reached. */
  readonly origin: string;
  /** The caller's own token, because the view acts as the caller. */
  readonly token: string;
}

/** The address of a profile browser's view: the page `/browser/<id>/` and its socket. */
@Injectable()
export class BrowserView {
  constructor(
    private readonly browsers: ProfileBrowsers,
    private readonly driver: BrowserDriver,
  ) {}

  /** @throws NoSuchBrowser */
  async addressOf(
    oid: string,
    browserId: string,
    { origin, token }: ViewRequest,
  ): Promise<WaitingForBrowser | ProfileBrowserGetUrlResponse> {
    if ('detail' in (await this.browsers.ping(oid, browserId))) return WAITING_FOR_BROWSER;
    const fields = {
      path: `browser/${browserId}/ws?${new URLSearchParams({ oid, auth_bearer: token }).toString()}`,
      // The reference's view asks for a password; here the token alone guards the view.
      password: browserId.slice('prf-'.length),
      oid,
      auth_bearer: token,
      scale: SCALE,
    };
    const query = new URLSearchParams({ ...fields, scale: String(SCALE) });
    return { ...fields, url: `${origin}/browser/${browserId}/?${query.toString()}` };
  }

  @OpensSocket({ path: /^\/browser\/(?<browserId>prf-[0-9a-f]{10})\/ws$/, role: 'crawler' })
  async open({ oid = '', browserId = '' }: Record<string, string>): Promise<SocketPeer | null> {
    try {
      await this.browsers.find(oid, browserId);
    } catch (error) {
      if (error instanceof NoSuchBrowser) return null;
      throw error;
    }
    return this.driver.frames(browserId);
  }
}
