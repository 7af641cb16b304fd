import type { BrowserInput } from '../browser-driver.js';

const ANSWER_TIMEOUT_MS = 10_000;
const NAVIGATE_TIMEOUT_MS = 35_000;
/** Time for a commit: packing and uploading a large profile is slow. */
export const COMMIT_TIMEOUT_MS = 150_000;

/** The browser does not answer yet, or no longer answers. */
export class BrowserAway extends Error {}

export interface SavedProfile {
  readonly size: number;
  readonly hash: string;
  readonly origins: string[];
}

/** The HTTP API of a browser's container (archive §8). */
export class BrowserApi {
  constructor(private readonly baseUrl: string) {}

  /** @throws BrowserAway */
  async ping(): Promise<string[]> {
    const { origins } = await this.call<{ origins?: string[] }>('/ping');
    return origins ?? [];
  }

  /** @throws BrowserAway */
  async navigate(url: string): Promise<void> {
    await this.call('/navigate', { body: { url }, timeoutMs: NAVIGATE_TIMEOUT_MS });
  }

  /** @throws BrowserAway */
  async input(event: BrowserInput): Promise<void> {
    await this.call('/input', { body: event });
  }

  /** @throws BrowserAway; Error when the profile could not be saved */
  async createProfile(filename: string): Promise<SavedProfile> {
    const { resource, origins = [] } = await this.call<{
      resource?: { hash: string; size?: number; bytes?: number };
      origins?: string[];
    }>('/createProfileJS', { body: { filename }, timeoutMs: COMMIT_TIMEOUT_MS });
    const size = resource?.size ?? resource?.bytes;
    if (!resource?.hash || size === undefined) throw new Error('the browser named no saved profile');
    return { size, hash: resource.hash, origins };
  }

  private async call<T>(path: string, options: { body?: unknown; timeoutMs?: number } = {}): Promise<T> {
    const { body, timeoutMs = ANSWER_TIMEOUT_MS } = options;
    let response: Response;
    try {
      response = await fetch(`${this.baseUrl}${path}`, {
        ...(body === undefined
          ? {}
          : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(timeoutMs),
        redirect: 'error',
      });
    } catch (error) {
      throw new BrowserAway(`${path}: no answer`, { cause: error });
    }
    const text = await response.text();
    if (response.status === 503) throw new BrowserAway(`${path}: not ready`);
    if (!response.ok) throw new Error(`${path}: status ${String(response.status)}`);
    return JSON.parse(text) as T;
  }
}
