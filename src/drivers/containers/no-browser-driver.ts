import {
  BrowserDriver,
  type BrowserInput,
  type BrowserRecord,
  type BrowserSpec,
  type BrowserState,
  type CommitState,
} from '../browser-driver.js';
import type { ControlResult } from '../crawl-driver.types.js';
import type { DuplexWebSocket } from '../duplex-websocket.js';

/** Profile browsers where crawls run in containers: not built yet, so each start is refused. */
export class NoBrowserDriver extends BrowserDriver {
  constructor(readonly kind: string) {
    super();
  }

  override start(_spec: BrowserSpec): Promise<void> {
    return Promise.reject(new Error(`The ${this.kind} driver has no profile browsers yet`));
  }

  override find(_browserId: string): Promise<BrowserRecord | null> {
    return Promise.resolve(null);
  }

  override ping(_browserId: string): Promise<BrowserState> {
    return Promise.resolve({ state: 'not_found' });
  }

  override navigate(_browserId: string, _url: string): Promise<ControlResult> {
    return Promise.resolve('not_found');
  }

  override frames(_browserId: string): Promise<DuplexWebSocket | null> {
    return Promise.resolve(null);
  }

  override input(_browserId: string, _event: BrowserInput): Promise<ControlResult> {
    return Promise.resolve('not_found');
  }

  override commit(_browserId: string, _profileId: string): Promise<CommitState> {
    return Promise.resolve({ state: 'not_found' });
  }

  override remove(_browserId: string): Promise<void> {
    return Promise.resolve();
  }

  override list(): Promise<BrowserRecord[]> {
    return Promise.resolve([]);
  }
}
