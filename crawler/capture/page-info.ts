import type { Page, Request, Response } from 'playwright-core';
import { mimeOf } from '../../formats/warc/http-headers.js';

export interface ResourceInfo {
  readonly status: number;
  readonly mime?: string;
  readonly type: string;
  error?: string;
}

/** More would make the record useless; counting goes on for none beyond. */
const MAX_RESOURCES = 20_000;

/**
 * What a page loaded, for its `urn:pageinfo` record. Fed by the page's own events and not by the capture: answers from
 * the cache never reach the capture but belong to the page.
 */
export class PageInfo {
  private readonly urls = new Map<string, ResourceInfo>();
  /** When each was asked for, ms. */
  private readonly open = new Map<Request, number>();
  /** Requests of this visit; what the page before it left behind ends without being noted here. */
  private readonly mine = new WeakSet<Request>();
  private jsErrors = 0;
  private lastChange = Date.now();
  /** What the window itself was last sent to, redirects included. */
  private wanted: string | null = null;
  private readonly detach: () => void;

  constructor(page: Page) {
    const onRequest = (request: Request) => this.started(request);
    const onResponse = (response: Response) => this.answered(response);
    const onFinished = (request: Request) => this.ended(request);
    const onFailed = (request: Request) => this.failed(request);
    const onError = () => this.jsErrors++;
    page.on('request', onRequest);
    page.on('response', onResponse);
    page.on('requestfinished', onFinished);
    page.on('requestfailed', onFailed);
    page.on('pageerror', onError);
    const onSocket = (socket: { url(): string }) => this.note(socket.url(), { status: 101, type: 'websocket' });
    page.on('websocket', onSocket);
    this.detach = () => {
      page.off('request', onRequest);
      page.off('response', onResponse);
      page.off('requestfinished', onFinished);
      page.off('requestfailed', onFailed);
      page.off('pageerror', onError);
      page.off('websocket', onSocket);
    };
  }

  stop(): void {
    this.detach();
  }

  noteError(url: string, error: string): void {
    const known = this.urls.get(url);
    if (known) known.error = error;
    else this.note(url, { status: 0, type: 'other', error });
  }

  /** Milliseconds without a request starting or ending while none but long-lived ones are open; 0 when busy. */
  idleMs(longLivedMs = Infinity): number {
    const isBusy = [...this.open.values()].some((since) => Date.now() - since < longLivedMs);
    return isBusy ? 0 : Date.now() - this.lastChange;
  }

  /** Those without an answer yet that are younger than this. Media are asked for as they are played, not as a whole. */
  openRequests(longLivedMs: number): Request[] {
    const requests = [...this.open.keys()].filter((request) => request.resourceType() !== 'media');
    return requests.filter((request) => this.isOpen(request, longLivedMs));
  }

  isOpen(request: Request, longLivedMs: number): boolean {
    const since = this.open.get(request);
    return since !== undefined && Date.now() - since < longLivedMs;
  }

  /** The address that the window was last on its way to; null before it was sent anywhere. */
  get navigation(): string | null {
    return this.wanted;
  }

  record(about: { pageid: string; url: string; ts: string; tsStatus: number }): object {
    return {
      pageid: about.pageid,
      url: about.url,
      ts: about.ts,
      urls: Object.fromEntries(this.urls),
      counts: { jsErrors: this.jsErrors },
      tsStatus: about.tsStatus,
    };
  }

  private started(request: Request): void {
    this.lastChange = Date.now();
    this.mine.add(request);
    if (isOfWindow(request)) this.wanted = request.url();
    if (request.resourceType() !== 'eventsource' && request.resourceType() !== 'ping')
      this.open.set(request, Date.now());
  }

  private answered(response: Response): void {
    const request = response.request();
    if (!this.mine.has(request)) return;
    const info = resourceInfo(response);
    this.note(response.url(), info);
    // A stream has no end to wait for.
    if (info.mime === 'text/event-stream' || info.mime === 'multipart/x-mixed-replace') this.open.delete(request);
  }

  private ended(request: Request): void {
    this.open.delete(request);
    this.lastChange = Date.now();
  }

  private failed(request: Request): void {
    this.ended(request);
    if (!this.mine.has(request)) return;
    const error = request.failure()?.errorText ?? 'failed';
    const known = this.urls.get(request.url());
    if (known) known.error ??= error;
    else this.note(request.url(), { status: 0, type: request.resourceType(), error });
  }

  private note(url: string, info: ResourceInfo): void {
    if (this.urls.size >= MAX_RESOURCES || !/^(?:https?|wss?):/.test(url)) return;
    const key = url.split('#', 1)[0]!;
    const known = this.urls.get(key);
    if (!known || known.status === 0) this.urls.set(key, info);
  }
}

/** An answer as `urn:pageinfo` lists it. */
export function resourceInfo(response: Response): ResourceInfo {
  const mime = mimeOf(response.headers()['content-type']);
  return { status: response.status(), ...(mime ? { mime } : {}), type: response.request().resourceType() };
}

/** Whether the request is for the page itself and not for one of its frames. */
function isOfWindow(request: Request): boolean {
  if (!request.isNavigationRequest()) return false;
  try {
    return request.frame().parentFrame() === null;
  } catch {
    // Its page is not there yet: a window of its own, that the page opens.
    return false;
  }
}
