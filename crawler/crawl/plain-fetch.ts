import { Readable } from 'node:stream';
import { fetch, ProxyAgent } from 'undici';

const TIMEOUT_MS = 60_000;

export interface PlainResponse {
  readonly status: number;
  readonly url: string;
  readonly body: Readable;
}

/** GETs robots.txt, sitemaps and custom behaviors through the guard. It follows redirects and records nothing. */
export class PlainFetcher {
  private readonly agent: ProxyAgent;

  constructor(
    proxyUrl: string,
    private readonly userAgent: string,
  ) {
    this.agent = new ProxyAgent({
      uri: proxyUrl,
      requestTls: { rejectUnauthorized: false },
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
    });
  }

  async get(url: string, signal?: AbortSignal): Promise<PlainResponse> {
    const response = await fetch(url, {
      headers: { 'User-Agent': this.userAgent },
      dispatcher: this.agent,
      ...(signal ? { signal } : {}),
    });
    return {
      status: response.status,
      url: response.url,
      body: response.body ? Readable.fromWeb(response.body) : Readable.from([]),
    };
  }

  /**
   * The body as text, cut at `mostBytes`; null unless the answer is a 200. @throws also for an answer that does not end
   * in time, because pages wait for the robots.txt of their site
   */
  async text(url: string, mostBytes: number): Promise<string | null> {
    const { status, body } = await this.get(url, AbortSignal.timeout(TIMEOUT_MS));
    if (status !== 200) {
      body.destroy();
      return null;
    }
    const parts: Buffer[] = [];
    let size = 0;
    for await (const chunk of body) {
      parts.push(chunk as Buffer);
      size += (chunk as Buffer).length;
      if (size >= mostBytes) break;
    }
    return Buffer.concat(parts).subarray(0, mostBytes).toString('utf8');
  }

  async close(): Promise<void> {
    await this.agent.destroy().catch(() => undefined);
  }
}
