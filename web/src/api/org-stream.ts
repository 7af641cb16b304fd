import { EventSourceParserStream, type EventSourceMessage } from 'eventsource-parser/stream';
import { credentials } from './client';

/** Waits before the tries while the service is away, in milliseconds; the last one from then on. */
const WAITS_MS = [0, 2_000, 4_000, 8_000, 15_000];
/** The service says something every 20 s; a connection that is silent for longer is dead. */
const SILENCE_MS = 50_000;
/** A tab that nobody looks at gives its connection back; browsers have six for all tabs. */
const HIDDEN_MS = 20_000;
/** Another try changes nothing: the login has ended, the org is gone, the service has no stream. */
const FINAL = new Set([401, 403, 404, 405]);

export interface StreamListener {
  /** The stream is there: all changes come, from now on or from where it ended before. */
  readonly opened: (isFirst: boolean) => void;
  /** It cannot be had; it is tried again, unless the answer was final. */
  readonly lost: () => void;
  readonly told: (event: EventSourceMessage) => void;
}

/** Listens to `GET /api/orgs/{oid}/stream` while the page is looked at. @returns ends it */
export function listenToOrg(oid: string, listener: StreamListener): () => void {
  const connection = new OrgStream(oid, listener);
  void connection.keep();
  return () => connection.end();
}

class OrgStream {
  private readonly ending = new AbortController();
  private current: AbortController | null = null;
  private hiding: ReturnType<typeof setTimeout> | undefined;
  private lastId: string | undefined;

  constructor(
    private readonly oid: string,
    private readonly listener: StreamListener,
  ) {
    document.addEventListener('visibilitychange', this.onVisibility);
  }

  end(): void {
    this.ending.abort();
    clearTimeout(this.hiding);
    document.removeEventListener('visibilitychange', this.onVisibility);
  }

  async keep(): Promise<void> {
    const { signal } = this.ending;
    for (let tries = 0; !signal.aborted; tries += 1) {
      await pause(WAITS_MS[Math.min(tries, WAITS_MS.length - 1)] ?? 0, signal);
      await visible(signal);
      const body = await this.connect();
      if (body === 'final') return;
      if (body === null) continue;
      tries = 0;
      await this.read(body).catch(() => undefined);
    }
  }

  /** @returns null where there is no stream at the moment */
  private async connect(): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | 'final' | null> {
    this.current = new AbortController();
    const headers = new Headers({ Accept: 'text/event-stream', Authorization: `Bearer ${credentials.token() ?? ''}` });
    if (this.lastId) headers.set('Last-Event-ID', this.lastId);
    const signal = AbortSignal.any([this.ending.signal, this.current.signal]);
    try {
      const response = await fetch(`/api/orgs/${this.oid}/stream`, { headers, signal, cache: 'no-store' });
      if (response.ok && response.body) return response.body;
      if (response.status === 401) credentials.refused();
      this.listener.lost();
      return FINAL.has(response.status) ? 'final' : null;
    } catch {
      if (!signal.aborted) this.listener.lost();
      return null;
    }
  }

  private async read(body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
    const giveUp = (): void => this.current?.abort();
    let silence = setTimeout(giveUp, SILENCE_MS);
    const heard = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(bytes, controller) {
        clearTimeout(silence);
        silence = setTimeout(giveUp, SILENCE_MS);
        controller.enqueue(bytes);
      },
    });
    const events = body
      .pipeThrough(heard)
      .pipeThrough(new TextDecoderStream())
      .pipeThrough(new EventSourceParserStream());
    const reader = events.getReader();
    try {
      for (let next = await reader.read(); !next.done; next = await reader.read()) this.take(next.value);
    } finally {
      clearTimeout(silence);
    }
  }

  private take(event: EventSourceMessage): void {
    const isFirst = this.lastId === undefined;
    this.lastId = event.id ?? this.lastId;
    if (event.event === 'ready') this.listener.opened(isFirst);
    else this.listener.told(event);
  }

  private readonly onVisibility = (): void => {
    clearTimeout(this.hiding);
    if (document.hidden) this.hiding = setTimeout(() => this.current?.abort(), HIDDEN_MS);
  };
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => (clearTimeout(timer), resolve()), { once: true });
  });

function visible(signal: AbortSignal): Promise<void> {
  if (!document.hidden) return Promise.resolve();
  return new Promise((resolve) => {
    const look = (): void => {
      if (document.hidden && !signal.aborted) return;
      document.removeEventListener('visibilitychange', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    signal.addEventListener('abort', look, { once: true });
  });
}
