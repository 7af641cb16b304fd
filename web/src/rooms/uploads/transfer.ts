import { Upload, type DetailedError, type HttpResponse } from 'tus-js-client';
import { credentials } from '../../api/client';
import { ApiProblem } from '../../api/problem';
import { fingerprintOf } from './interrupted';

export type TransferState = 'waiting' | 'sending' | 'retrying' | 'paused' | 'loggedOut' | 'failed' | 'done';

/** One file on its way to the service, as the page shows it. */
export interface Transfer {
  readonly id: string;
  readonly oid: string;
  /** The name that the item gets. */
  readonly name: string;
  readonly size: number;
  readonly sent: number;
  /** Bytes each second, over the last seconds; null while nothing is measured. */
  readonly speed: number | null;
  readonly state: TransferState;
  readonly problem: unknown;
  /** The item that it became. */
  readonly itemId: string | null;
}

/** What the person says of a file before it is sent. */
export interface Description {
  readonly name: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly collections: readonly string[];
  /** The upload in whose place it comes; absent or '' for a new item. */
  readonly replaceId?: string;
}

/** The service stores an upload in pieces of this many bytes; a proxy in front of it may keep a whole request. */
const CHUNK_BYTES = 64 * 1024 * 1024;
/** More requests than these per file would make a piece of each. */
const MAX_CHUNKS = 5000;
/** Waits between tries, in ms. They begin again when bytes have come through. */
const RETRY_AFTER = [500, 1000, 2000, 4000, 8000, 15_000, 30_000, 60_000, 60_000, 60_000];
const SPEED_WINDOW_MS = 4000;
const LOG_IN_CHECK_MS = 1000;

const statusOf = (error: Error | DetailedError): number =>
  'originalResponse' in error ? (error.originalResponse?.getStatus() ?? 0) : 0;

/** The API's own sentence for a refusal of the tus endpoint. */
async function problemOf(error: Error | DetailedError): Promise<unknown> {
  const response = 'originalResponse' in error ? error.originalResponse : null;
  const status = response?.getStatus() ?? 0;
  if (!response || status === 0) return ApiProblem.unreachable(error);
  return ApiProblem.of(new Response(response.getBody(), { status }));
}

/** Sends one file by the tus protocol, and tells of each change. */
export class FileTransfer {
  private readonly upload: Upload;
  private samples: { at: number; sent: number }[] = [];
  private answer: HttpResponse | null = null;
  private logInCheck: ReturnType<typeof setInterval> | undefined;

  constructor(
    public shown: Transfer,
    file: File,
    described: Description,
    private readonly changed: () => void,
  ) {
    this.upload = new Upload(file, {
      endpoint: `/api/orgs/${shown.oid}/uploads/tus`,
      chunkSize: Math.max(CHUNK_BYTES, Math.ceil(file.size / MAX_CHUNKS)),
      retryDelays: RETRY_AFTER,
      removeFingerprintOnSuccess: true,
      fingerprint: () => Promise.resolve(fingerprintOf(shown.oid, file, described.replaceId ?? '')),
      metadata: {
        filename: file.name,
        name: described.name,
        description: described.description,
        tags: described.tags.join(','),
        collections: described.collections.join(','),
        replaceId: described.replaceId ?? '',
      },
      onBeforeRequest: (request) => {
        const token = credentials.token();
        if (token) request.setHeader('Authorization', `Bearer ${token}`);
      },
      onAfterResponse: (_request, response) => void (this.answer = response),
      // The address as the browser reaches the service, whatever name the service has for itself.
      onUploadUrlAvailable: () => {
        if (this.upload.url) this.upload.url = new URL(this.upload.url, location.href).pathname;
      },
      onProgress: (sent) => this.measure(sent),
      onShouldRetry: (error) => this.mayRetry(error),
      onError: (error) => void this.fail(error),
      onSuccess: () => this.finish(),
    });
  }

  get isBusy(): boolean {
    return this.shown.state === 'sending' || this.shown.state === 'retrying';
  }

  /** Goes on where an earlier try of the same file stopped, in this visit or in one before. */
  async start(): Promise<void> {
    this.samples = [];
    this.set({ state: 'sending', problem: null, speed: null });
    if (!this.upload.url) {
      const earlier = await this.upload.findPreviousUploads();
      const [last] = earlier.sort((a, b) => b.creationTime.localeCompare(a.creationTime));
      if (last) this.upload.resumeFromPreviousUpload(last);
    }
    if (this.shown.state === 'sending') this.upload.start();
  }

  async pause(): Promise<void> {
    this.set({ state: 'paused', speed: null });
    await this.upload.abort();
  }

  wait(): void {
    this.set({ state: 'waiting', problem: null });
  }

  /** Ends it, and lets the service forget what has come. */
  async discard(): Promise<void> {
    clearInterval(this.logInCheck);
    this.set({ state: 'paused' });
    await this.upload.abort(true);
  }

  /** Ends it without a word to the service: the person has logged out. */
  async drop(): Promise<void> {
    clearInterval(this.logInCheck);
    await this.upload.abort();
  }

  private set(change: Partial<Transfer>): void {
    this.shown = { ...this.shown, ...change };
    this.changed();
  }

  private measure(sent: number): void {
    if (this.shown.state === 'paused') return;
    const now = performance.now();
    this.samples = [...this.samples.filter(({ at }) => now - at < SPEED_WINDOW_MS), { at: now, sent }];
    const first = this.samples[0] ?? { at: now, sent };
    const seconds = (now - first.at) / 1000;
    this.set({ state: 'sending', sent, speed: seconds > 0.3 ? (sent - first.sent) / seconds : this.shown.speed });
  }

  /** What another try may change: no answer, a busy lock, a fault of the service. */
  private mayRetry(error: DetailedError): boolean {
    const status = statusOf(error);
    const isPassing = status === 0 || status === 409 || status === 423 || status >= 500;
    if (isPassing) this.set({ state: 'retrying', speed: null });
    return isPassing;
  }

  private async fail(error: Error | DetailedError): Promise<void> {
    if (statusOf(error) !== 401) return this.set({ state: 'failed', speed: null, problem: await problemOf(error) });
    this.set({ state: 'loggedOut', speed: null });
    credentials.refused();
    this.logInCheck = setInterval(() => {
      if (!credentials.token()) return;
      clearInterval(this.logInCheck);
      void this.start();
    }, LOG_IN_CHECK_MS);
  }

  private finish(): void {
    const given = this.answer?.getHeader('Upload-Item-Id');
    const itemId = given || `upload-${this.upload.url?.split('/').at(-1) ?? ''}`;
    this.set({ state: 'done', sent: this.shown.size, speed: null, itemId });
  }
}
