import { InProcessDuplex, type DuplexWebSocket } from '../duplex-websocket.js';
import type { ToApi } from '../../../crawler/protocol.js';

type Frame = Extract<ToApi, { t: 'frame' }>;

interface Viewer {
  readonly duplex: InProcessDuplex;
  readonly index: number;
  /** Number of windows that the viewer was last told of. */
  browsers: number;
}

/** The viewers of one local crawl. Each sees the windows of its index. Frames are made only while there is a viewer. */
export class ScreencastHub {
  private readonly viewers = new Set<Viewer>();
  private readonly latest = new Map<number, string>();
  private size = { width: 640, height: 360 };
  private perIndex = 1;

  /** @param cast called when the first viewer comes (true) and the last one leaves (false) */
  constructor(private readonly cast: (on: boolean) => void) {}

  get isWatched(): boolean {
    return this.viewers.size > 0;
  }

  /** Opens a view of the windows index×N … index×N+N−1 (crawling §5.11). Null when there are none. */
  open(index: number, windows: number, perIndex: number): DuplexWebSocket | null {
    this.perIndex = perIndex;
    const browsers = browsersOf(index, windows, perIndex);
    if (!Number.isInteger(index) || index < 0 || browsers <= 0) return null;
    const viewer: Viewer = {
      duplex: new InProcessDuplex(
        () => undefined,
        () => this.leave(viewer),
      ),
      index,
      browsers,
    };
    this.viewers.add(viewer);
    this.welcome(viewer);
    if (this.viewers.size === 1) this.cast(true);
    return viewer.duplex;
  }

  /** Takes a changed number of windows. Viewers who see another number than before are told, and get new frames. */
  resize(windows: number, perIndex: number): void {
    this.perIndex = perIndex;
    for (const viewer of this.viewers) {
      const browsers = browsersOf(viewer.index, windows, perIndex);
      if (browsers === viewer.browsers) continue;
      viewer.browsers = browsers;
      this.welcome(viewer);
    }
  }

  frame({ id, url, data, width, height }: Frame): void {
    if (url === 'about:blank' || url === '') return;
    if (width > 0 && height > 0) this.size = { width: 640, height: Math.round((640 * height) / width) };
    const text = JSON.stringify({ msg: 'screencast', id, url, data });
    this.latest.set(id, text);
    for (const viewer of this.viewers) if (this.shows(viewer, id)) viewer.duplex.emit(text);
  }

  closed(id: number): void {
    this.latest.delete(id);
    for (const viewer of this.viewers)
      if (this.shows(viewer, id)) viewer.duplex.emit(JSON.stringify({ msg: 'close', id }));
  }

  /** Closes all views because the browser is gone. Viewers reconnect by themselves. */
  end(): void {
    this.latest.clear();
    for (const viewer of [...this.viewers]) viewer.duplex.close();
  }

  private welcome(viewer: Viewer): void {
    viewer.duplex.emit(JSON.stringify({ msg: 'init', ...this.size, browsers: viewer.browsers }));
    for (const [id, text] of this.latest) if (this.shows(viewer, id)) viewer.duplex.emit(text);
  }

  private leave(viewer: Viewer): void {
    this.viewers.delete(viewer);
    if (this.viewers.size > 0) return;
    this.latest.clear();
    this.cast(false);
  }

  private shows({ index }: Viewer, id: number): boolean {
    return Math.floor(id / this.perIndex) === index;
  }
}

const browsersOf = (index: number, windows: number, perIndex: number): number =>
  Math.max(0, Math.min(perIndex, windows - index * perIndex));
