import { Injectable } from '@nestjs/common';
import { OpensSocket, type SocketPeer } from '../common/http/socket-upgrades.js';
import { BrowserDriver } from '../drivers/browser-driver.js';
import type { ProfileBrowserGetUrlResponse } from './dto/profile-browsers.dto.js';
import { ProfileBrowsers, WAITING_FOR_BROWSER, type WaitingForBrowser } from './profile-browsers.js';
import { NoSuchBrowser } from './profiles.errors.js';

/** Size at which clients embed the view. Contract: archive §8. */
const SCALE = 0.75;

export interface ViewRequest {
  /** `scheme://host` that the view is reached at. */
  readonly origin: string;
  /** The caller's own token: the view acts as the caller. */
  readonly token: string;
}

/** Where a person sees and uses a profile browser: the page `/browser/<id>/` and its socket. */
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
      // The reference's view asks for one; ours is guarded by the token alone.
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
