import type { ControlResult, RunProxy, RunStorage } from './crawl-driver.types.js';
import type { DuplexWebSocket } from './duplex-websocket.js';
import type { InputEvent } from '../../crawler/protocol.js';

/** A person's interactive browser for making a profile (archive §8). Carries secrets: never stored or logged whole. */
export interface BrowserSpec {
  /** `prf-<10 hex>`. */
  readonly browserId: string;
  readonly oid: string;
  readonly userId: string;
  readonly image: string;
  readonly imagePullPolicy: string;
  /** First page to show. */
  readonly url: string;
  /** `keyPrefix` is `<oid>/`: profiles always have it. */
  readonly storage: RunStorage;
  /** Profile to start from; the key is relative to `<oid>/`. */
  readonly baseProfile?: { profileId: string; key: string };
  readonly proxy?: RunProxy;
  /** The driver keeps them with the browser and `find` returns them, so callers need no own store. No secrets. */
  readonly labels: Record<string, string>;
}

export interface BrowserRecord {
  readonly browserId: string;
  readonly oid: string;
  readonly labels: Record<string, string>;
}

/** `starting`: not reachable yet. `origins`: of the pages visited so far, each `scheme://host[:port]/`. */
export type BrowserState = { state: 'not_found' } | { state: 'starting' } | { state: 'ready'; origins: string[] };

/** What a person does to the page. Coordinates are CSS pixels of the frame's own size, as `init` tells it. */
export type BrowserInput = InputEvent;

export type CommitState =
  | { state: 'not_found' }
  /** Being packed or uploaded: ask again. */
  | { state: 'saving' }
  /** `key` is relative to `<oid>/`; `hash` is SHA-256 hex. */
  | { state: 'saved'; key: string; size: number; hash: string; origins: string[] }
  | { state: 'failed'; reason: string };

/**
 * Runs profile browsers. A browser ends by itself BROWSER_IDLE_SECONDS after the last `start`, `ping`, `navigate` or
 * `commit`, or `remove`; where it takes the place of a crawl that waits, also as long after somebody last looked at it
 * or did something in it, however often it is asked after. All verbs are idempotent; an unknown or ended browser is `not_found`.
 */
export abstract class BrowserDriver {
  abstract readonly kind: string;

  /** Returns once the start is under way; `ping` tells when it is reachable. @throws BrowserNotStarted */
  abstract start(spec: BrowserSpec): Promise<void>;

  /** The browser's owner; the call does not keep the browser alive. Null when there is no such browser. */
  abstract find(browserId: string): Promise<BrowserRecord | null>;

  /** Keeps the browser alive. */
  abstract ping(browserId: string): Promise<BrowserState>;

  /** `unavailable` while it starts. */
  abstract navigate(browserId: string, url: string): Promise<ControlResult>;

  /**
   * Live view: first `{"msg":"init","width","height"}`, then `{"msg":"screencast","url","data"}` (base64 JPEG or PNG).
   * Frames sent towards the browser are `BrowserInput` as JSON; others are ignored. Null when there is nothing to show.
   */
  abstract frames(browserId: string): Promise<DuplexWebSocket | null>;

  abstract input(browserId: string, event: BrowserInput): Promise<ControlResult>;

  /**
   * Saves the profile as `profiles/profile-<profileId>.tar.gz`. The first call begins, later ones report; a second
   * `profileId` begins anew.
   */
  abstract commit(browserId: string, profileId: string): Promise<CommitState>;

  abstract remove(browserId: string): Promise<void>;

  abstract list(): Promise<BrowserRecord[]>;
}

/** Life of a browser nobody asks after (archive §8). */
export const BROWSER_IDLE_SECONDS = 30;
