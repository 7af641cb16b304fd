import type { Server } from 'node:http';
import { WebSocketServer, type WebSocket } from 'ws';
import type { ToApi } from '../protocol.js';

type Frame = Extract<ToApi, { t: 'frame' }>;

/** A viewer that is this many bytes behind misses frames, because only the latest picture matters. */
const MAX_UNSENT_BYTES = 4 * 1024 * 1024;

/** Sends live frames over a websocket in the messages of spec crawling §5.11. */
export class ScreencastServer {
  private readonly viewers = new Set<WebSocket>();
  private readonly latest = new Map<number, string>();
  private size = { width: 640, height: 360 };

  /**
   * @param firstWindow number of this instance's first window among all of the run
   * @param cast called when the first viewer comes (true) and the last one leaves (false)
   */
  constructor(
    server: Server,
    private readonly firstWindow: number,
    private readonly windows: () => number,
    private readonly cast: (on: boolean) => void,
  ) {
    const sockets = new WebSocketServer({ server, perMessageDeflate: false, maxPayload: 64 * 1024 });
    sockets.on('connection', (socket) => this.welcome(socket));
  }

  get isWatched(): boolean {
    return this.viewers.size > 0;
  }

  frame({ id, url, data, width, height }: Frame): void {
    if (url === 'about:blank' || url === '') return;
    if (width > 0 && height > 0) this.size = { width: 640, height: Math.round((640 * height) / width) };
    const text = JSON.stringify({ msg: 'screencast', id: this.firstWindow + id, url, data });
    this.latest.set(id, text);
    for (const viewer of this.viewers) if (viewer.bufferedAmount < MAX_UNSENT_BYTES) viewer.send(text);
  }

  closed(id: number): void {
    this.latest.delete(id);
    const text = JSON.stringify({ msg: 'close', id: this.firstWindow + id });
    for (const viewer of this.viewers) viewer.send(text);
  }

  private welcome(socket: WebSocket): void {
    this.viewers.add(socket);
    socket.on('error', () => socket.terminate());
    socket.on('close', () => {
      this.viewers.delete(socket);
      if (this.isWatched) return;
      this.latest.clear();
      this.cast(false);
    });
    socket.send(JSON.stringify({ msg: 'init', ...this.size, browsers: this.windows() }));
    for (const text of this.latest.values()) socket.send(text);
    if (this.viewers.size === 1) this.cast(true);
  }
}
