import type { Page, Request, Response } from 'playwright-core';
import { mimeOf } from '../../formats/warc/http-headers.js';

export interface ResourceInfo {
  readonly status: number;
  readonly mime?: string;
  readonly type: string;
  error?: string;
}

/** Most resources of a record; more would make it useless, so they are not counted. */
const MAX_RESOURCES = 20_000;

/**
 * Collects the resources of a page for its `urn:pageinfo` record. It uses the page's own events, because answers from
 * the cache never reach the capture.
 */
export class PageInfo {
  private readonly urls = new Map<string, ResourceInfo>();
  /** Start of each open request, ms. */
  private readonly open = new Map<Request, number>();
  /** Requests of this visit. Late ends of the previous page's requests are ignored. */
  private readonly mine = new WeakSet<Request>();
  private jsErrors = 0;
  private lastChange = Date.now();
  /** The last address of the window itself, redirects included. */
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

  /** Milliseconds since a request last started or ended; 0 while any but long-lived requests are open. */
  idleMs(longLivedMs = Infinity): number {
    const isBusy = [...this.open.values()].some((since) => Date.now() - since < longLivedMs);
    return isBusy ? 0 : Date.now() - this.lastChange;
  }

  /** Unanswered requests younger than `longLivedMs`. Media do not count: players load them piece by piece. */
  openRequests(longLivedMs: number): Request[] {
    const requests = [...this.open.keys()].filter((request) => request.resourceType() !== 'media');
    return requests.filter((request) => this.isOpen(request, longLivedMs));
  }

  isOpen(request: Request, longLivedMs: number): boolean {
    const since = this.open.get(request);
    return since !== undefined && Date.now() - since < longLivedMs;
  }

  /** The address of the window's last navigation; null before the first. */
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

/** Describes an answer for `urn:pageinfo`. */
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
    // The request belongs to a window that the page opens; it has no page yet.
    return false;
  }
}
