import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { WebSocketServer, type WebSocket } from 'ws';
import { errorText } from '../base/time.js';
import type { InputEvent } from '../protocol.js';
import { NotReady, type FrameMessage, type ProfileBrowser } from './profile-browser.js';

const MAX_BODY_BYTES = 64 * 1024;
/** A viewer that is this many bytes behind misses frames, because only the latest picture matters. */
const MAX_UNSENT_BYTES = 4 * 1024 * 1024;
/** Shown until the first frame tells the real size. */
const FIRST_SIZE = { width: 1280, height: 800 };

/**
 * Serves the HTTP API of a browser container (spec archive §8, port 9223). In place of the official image's VNC, the
 * websocket `/frames` sends frames and takes input.
 */
export function serveProfileBrowser(browser: ProfileBrowser): Server {
  const server = createServer((request, response) => {
    answer(browser, request)
      .then(({ status, body }) => reply(response, status, body))
      .catch((error: unknown) => reply(response, error instanceof NotReady ? 503 : 500, { error: errorText(error) }));
  });
  showFrames(server, browser);
  return server;
}

async function answer(browser: ProfileBrowser, request: IncomingMessage): Promise<{ status: number; body: unknown }> {
  const path = (request.url ?? '').split('?', 1)[0];
  switch (`${request.method ?? ''} ${path ?? ''}`) {
    case 'GET /ping':
      browser.used();
      return { status: 200, body: { origins: await browser.ping() } };
    case 'GET /vncpass':
      // There is no VNC, so the view needs no password.
      return { status: 200, body: { password: '' } };
    case 'POST /navigate':
      await browser.navigate(String((await bodyOf(request))['url']));
      return { status: 200, body: { success: true } };
    case 'POST /createProfileJS': {
      const { filename } = await bodyOf(request);
      if (typeof filename !== 'string') return { status: 400, body: { error: 'filename is missing' } };
      return { status: 200, body: await browser.save(filename) };
    }
    case 'POST /input':
      browser.input((await bodyOf(request)) as InputEvent);
      return { status: 200, body: { success: true } };
    default:
      return { status: 404, body: { error: 'not found' } };
  }
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const part of request.setEncoding('utf8') as AsyncIterable<string>) {
    text += part;
    if (text.length > MAX_BODY_BYTES) throw new Error('the request is too large');
  }
  return JSON.parse(text || '{}') as Record<string, unknown>;
}

function showFrames(server: Server, browser: ProfileBrowser): void {
  const viewers = new Set<WebSocket>();
  let size = FIRST_SIZE;
  let latest: string | undefined;
  browser.onFrame = ({ url, data, width, height }: FrameMessage) => {
    size = { width, height };
    latest = JSON.stringify({ msg: 'screencast', url, data, width, height });
    for (const viewer of viewers) if (viewer.bufferedAmount < MAX_UNSENT_BYTES) viewer.send(latest);
  };
  const sockets = new WebSocketServer({
    server,
    path: '/frames',
    perMessageDeflate: false,
    maxPayload: MAX_BODY_BYTES,
  });
  sockets.on('connection', (socket) => {
    viewers.add(socket);
    socket.on('error', () => socket.terminate());
    socket.on('message', (text) => {
      const event = inputIn((text as Buffer).toString('utf8'));
      if (event) browser.input(event);
    });
    socket.on('close', () => {
      viewers.delete(socket);
      if (viewers.size === 0) browser.setCast(false);
    });
    socket.send(JSON.stringify({ msg: 'init', ...size }));
    if (latest) socket.send(latest);
    if (viewers.size === 1) browser.setCast(true);
  });
}

/** Reads an input event; the API sends nothing else. Broken text is dropped. */
function inputIn(text: string): InputEvent | null {
  try {
    return JSON.parse(text) as InputEvent;
  } catch {
    return null;
  }
}
