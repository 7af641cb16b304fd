import type { ControlResult, RunProxy, RunStorage } from './crawl-driver.types.js';
import type { DuplexWebSocket } from './duplex-websocket.js';
import type { InputEvent } from '../../crawler/protocol.js';

/**
 * A person's interactive browser for making a profile (archive §8). It carries secrets, so it is never stored or logged
 * whole.
 */
export interface BrowserSpec {
  /** `prf-<10 hex>`. */
  readonly browserId: string;
  readonly oid: string;
  readonly userId: string;
  readonly image: string;
  readonly imagePullPolicy: string;
  /** URL of the first page. */
  readonly url: string;
  /** Storage of the profile. Its `keyPrefix` is always `<oid>/`, because profiles are always in that folder. */
  readonly storage: RunStorage;
  /** Profile to start from. Its key is relative to `<oid>/`. */
  readonly baseProfile?: { profileId: string; key: string };
  readonly proxy?: RunProxy;
  /**
   * Labels that the driver keeps with the browser and `find` returns, so that callers need no store. They must hold no
   * secrets.
   */
  readonly labels: Record<string, string>;
}

export interface BrowserRecord {
  readonly browserId: string;
  readonly oid: string;
  readonly labels: Record<string, string>;
}

/**
 * `starting`: the browser is not reachable yet. `origins` are those of the pages visited so far, each
 * `scheme://host[:port]/`.
 */
export type BrowserState = { state: 'not_found' } | { state: 'starting' } | { state: 'ready'; origins: string[] };

/** A person's input on the page. Coordinates are CSS pixels of the frame's own size, which `init` tells. */
export type BrowserInput = InputEvent;

export type CommitState =
  | { state: 'not_found' }
  /** The profile is being packed or uploaded; the caller asks again. */
  | { state: 'saving' }
  /** `key` is relative to `<oid>/`; `hash` is SHA-256 hex. */
  | { state: 'saved'; key: string; size: number; hash: string; origins: string[] }
  | { state: 'failed'; reason: string };

/**
 * Runs profile browsers. A browser ends with `remove`, or by itself BROWSER_IDLE_SECONDS after the last `start`,
 * `ping`, `navigate` or `commit`. While a crawl waits for the browser's place, it also ends that long after a person
 * last looked at it or did something in it, even if it is still asked for. All verbs are idempotent. An unknown or
 * ended browser is `not_found`.
 */
export abstract class BrowserDriver {
  abstract readonly kind: string;

  /** Returns once the start is under way; `ping` tells when it is reachable. @throws BrowserNotStarted */
  abstract start(spec: BrowserSpec): Promise<void>;

  /** The browser's owner; the call does not keep the browser alive. Null when there is no such browser. */
  abstract find(browserId: string): Promise<BrowserRecord | null>;

  /** The state of a browser; the call keeps the browser alive. */
  abstract ping(browserId: string): Promise<BrowserState>;

  /** Opens a page. The result is `unavailable` while the browser starts. */
  abstract navigate(browserId: string, url: string): Promise<ControlResult>;

  /**
   * The live view: first `{"msg":"init","width","height"}`, then `{"msg":"screencast","url","data"}` (base64 JPEG or
   * PNG). Frames sent towards the browser are `BrowserInput` as JSON; others are ignored. Null when there is nothing to
   * show.
   */
  abstract frames(browserId: string): Promise<DuplexWebSocket | null>;

  abstract input(browserId: string, event: BrowserInput): Promise<ControlResult>;

  /**
   * Saves the profile as `profiles/profile-<profileId>.tar.gz`. The first call begins the commit, later ones report it.
   * A second `profileId` begins anew.
   */
  abstract commit(browserId: string, profileId: string): Promise<CommitState>;

  abstract remove(browserId: string): Promise<void>;

  abstract list(): Promise<BrowserRecord[]>;
}

/** Seconds after which a browser ends that no client asks for (archive §8). */
export const BROWSER_IDLE_SECONDS = 30;
