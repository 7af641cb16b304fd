import { readFile, stat } from 'node:fs/promises';
import { errorText, settled } from '../base/time.js';
import { dashUrls } from '../media/dash.js';
import { hlsUrls } from '../media/hls.js';
import { withoutHash } from '../scope/url.js';
import type { CaptureWriter, Exchange } from '../warc/capture-writer.js';
import { headerValue, mimeOf } from '../../formats/warc/http-headers.js';
import type { DirectFetcher } from './direct-fetch.js';

/** Concurrent stream fetches, fewer than direct ones: single resources do not wait for a long stream. */
const AT_ONCE = 2;
const MAX_MANIFEST_BYTES = 4 * 2 ** 20;
/** Most bytes of one stream, as of one resource. The rest of the stream is left out. */
const MAX_BYTES = 4 * 2 ** 30;
const MAX_MS = 1_800_000;
/** Most addresses of one stream, because playlists may name others without an end. */
const MAX_WAITING = 200_000;

interface Settings {
  /** Most renditions to fetch when a manifest offers several. */
  readonly mostRenditions: number;
  readonly maxBytes?: number;
  /** Called for a stream whose rest is left out. */
  readonly onPartial: (url: string, reason: 'length' | 'time') => void;
  readonly onError: (url: string, message: string) => void;
}

/** The addresses in a manifest and in the playlists that it names. */
interface Stream {
  readonly url: string;
  readonly referer?: string;
  readonly pageId?: string;
  readonly since: number;
  bytes: number;
  isCut: boolean;
  /** Playlists of the stream. `streamOf` knows them while the stream is fetched. */
  readonly playlists: string[];
  /** Addresses to fetch, the next one first. */
  waiting: string[];
  running: number;
}

type Kind = 'hls' | 'dash';

/**
 * Fetches everything that manifests of streaming players name. A player asks only for one rendition of what it plays,
 * but replay may choose another.
 */
export class StreamFetcher {
  /** The stream of each playlist. */
  private readonly streamOf = new Map<string, Stream>();
  private readonly streams = new Set<Stream>();
  private readonly running = new Set<Promise<void>>();
  private isEnding = false;

  constructor(
    private readonly settings: Settings,
    private readonly direct: DirectFetcher,
    private readonly writer: CaptureWriter,
  ) {}

  /** Looks for a manifest in a recorded response before its spool file is deleted. */
  async see(exchange: Exchange): Promise<void> {
    const kind = this.isEnding || exchange.status !== 200 || exchange.truncated ? null : kindOf(exchange);
    if (!kind) return;
    const { url } = exchange.request;
    try {
      const text = await textOf(exchange.body);
      if (text === null) return;
      const urls = (kind === 'hls' ? hlsUrls : dashUrls)(text, url, this.settings.mostRenditions);
      this.add(exchange, urls, text.includes('#EXT-X-STREAM-INF'));
    } catch (error) {
      this.settings.onError(url, errorText(error));
    }
  }

  /** Waits until all streams are fetched, at most `timeoutMs`. Afterwards nothing more is begun. */
  async finish(timeoutMs: number): Promise<void> {
    const until = Date.now() + timeoutMs;
    while (this.running.size > 0 && Date.now() < until) {
      await settled(Promise.race(this.running), Math.max(1, until - Date.now()));
    }
    this.isEnding = true;
    for (const stream of this.streams) this.cut(stream, 'time');
  }

  private add(exchange: Exchange, urls: readonly string[], namesPlaylists: boolean): void {
    const { request, pageId } = exchange;
    const referer = request.headers.get('referer');
    const stream = this.streamOf.get(withoutHash(request.url)) ?? {
      url: request.url,
      ...(referer ? { referer } : {}),
      ...(pageId ? { pageId } : {}),
      since: Date.now(),
      bytes: 0,
      isCut: false,
      playlists: [],
      waiting: [],
      running: 0,
    };
    if (stream.isCut) return;
    if (stream.waiting.length + urls.length > MAX_WAITING) return this.cut(stream, 'length');
    if (namesPlaylists) stream.playlists.push(...urls);
    for (const url of stream.playlists) this.streamOf.set(url, stream);
    // One rendition is fetched completely before the next one.
    stream.waiting.unshift(...urls);
    this.streams.add(stream);
    this.goOn(stream);
  }

  private goOn(stream: Stream): void {
    while (stream.running < AT_ONCE && stream.waiting.length > 0 && !stream.isCut) {
      stream.running++;
      const fetching = this.next(stream).finally(() => {
        this.running.delete(fetching);
        stream.running--;
        this.goOn(stream);
        if (stream.running === 0) this.forget(stream);
      });
      this.running.add(fetching);
    }
  }

  private forget(stream: Stream): void {
    this.streams.delete(stream);
    for (const url of stream.playlists) this.streamOf.delete(url);
  }

  private async next(stream: Stream): Promise<void> {
    const { maxBytes = MAX_BYTES } = this.settings;
    if (stream.bytes >= maxBytes) return this.cut(stream, 'length');
    if (Date.now() - stream.since >= MAX_MS) return this.cut(stream, 'time');
    const url = stream.waiting.shift()!;
    if (this.writer.hasCaptured(url)) return;
    const { referer, pageId } = stream;
    const about = { ...(referer ? { referer } : {}), ...(pageId ? { pageId } : {}) };
    const result = await this.direct.fetch({ url, resourceType: 'media', ...about });
    stream.bytes += result?.bytes ?? 0;
  }

  private cut(stream: Stream, reason: 'length' | 'time'): void {
    if (stream.isCut || stream.waiting.length === 0) return;
    stream.isCut = true;
    stream.waiting = [];
    this.settings.onPartial(stream.url, reason);
  }
}

function kindOf({ request, headers }: Exchange): Kind | null {
  const mime = mimeOf(headerValue(headers, 'content-type'));
  const path = request.url.split(/[?#]/, 1)[0]!.toLowerCase();
  if (/^(?:application|audio)\/(?:x-|vnd\.apple\.)?mpegurl$/.test(mime) || path.endsWith('.m3u8')) return 'hls';
  if (mime === 'application/dash+xml' || path.endsWith('.mpd')) return 'dash';
  return null;
}

/** Returns the text of a body whose type is that of a manifest; otherwise null. */
async function textOf(body: Exchange['body']): Promise<string | null> {
  const size = 'bytes' in body ? body.bytes.length : (await stat(body.spool)).size;
  if (size > MAX_MANIFEST_BYTES) return null;
  const bytes = 'bytes' in body ? body.bytes : await readFile(body.spool);
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  return /^\s*(?:#EXTM3U|<)/.test(text) ? text : null;
}
