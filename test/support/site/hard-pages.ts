import type { Server } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { WebSocketServer } from 'ws';
import { HTML, json, send, type Routes } from './answer.js';
import { html } from './html.js';
import { png } from './images.js';
import { streamRoutes } from './streams.js';

/** Pages that few crawlers get right, each with what it shows in the end. */
export const HARD: Readonly<Record<string, string>> = {
  '/hls.html': 'has pictures of 64 s',
  '/dash.html': 'has pictures of 64 s',
  '/workers/nested.html': 'outer got inner got {"q":"nested"}',
  '/events.html': 'events one, two, three',
  '/json-module.html': 'the module says 42',
  '/utf16le.html': 'Grüße, 世界',
  '/utf16be.html': 'Grüße, 世界',
  '/growing.html': 'Entry 12',
  '/srcdoc.html': 'Made by a script',
  '/wrong-length.html': 'read all there is',
  '/cut-off.html': 'Shorter than it says',
  '/zstd.html': 'Zstandard',
  '/br-page.html': 'Brotli page',
};

/** Pages of which replay shows less than the archive has, and what they ask for. docs/fidelity.md says why. */
export const BEYOND_REPLAY: Readonly<Record<string, readonly string[]>> = {
  '/socket.html': ['/img/said-three.png'],
  '/svg-object.html': ['/drawing.svg', '/drawing.svg?untyped', '/img/in-drawing.png'],
  '/from-the-root.html': ['/workers/from-the-root.js', '/workers/inner.js', '/img/from-the-root.png'],
};

/** How many entries `/growing.html` has; each of them comes when the one before is in view. */
export const ENTRIES = 12;
const ENTRY_MS = 300;

const script = (code: string): string => `<script>${code}</script>`;
const OUT = `<p id="out">nothing</p>`;
const SHOW = `const show = (text) => { document.querySelector('#out').textContent = text; };`;

const PAGES: Readonly<Record<string, string>> = {
  '/workers/nested.html': html(
    'Nested workers',
    OUT + script(`${SHOW} new Worker('outer.js').onmessage = (e) => show('outer got ' + e.data);`),
  ),
  '/events.html': html(
    'Server-sent events',
    OUT +
      script(
        `${SHOW} const all = []; const source = new EventSource('/events/three'); source.onmessage = (e) => { all.push(e.data); show('events ' + all.join(', ')); };`,
      ),
  ),
  '/socket.html': html(
    'WebSocket',
    OUT +
      script(
        `${SHOW} const all = []; const socket = new WebSocket(location.href.replace('http', 'ws').replace('/socket.html', '/socket')); socket.onopen = () => socket.send('more'); socket.onmessage = (e) => { all.push(e.data); show('socket said ' + all.slice(0, 3).join(', ')); if (all.length <= 3) document.body.append(Object.assign(new Image(), { src: '/img/said-' + e.data + '.png' })); setTimeout(() => socket.send('more'), 100); };`,
      ),
  ),
  '/json-module.html': html(
    'JSON module',
    OUT +
      `<script type="module">import data from '/modules/data.json' with { type: 'json' }; document.querySelector('#out').textContent = 'the module says ' + data.answer;</script>`,
  ),
  '/svg-object.html': html(
    'SVG object',
    '<object data="/drawing.svg" type="image/svg+xml" width="200" height="100"></object><object data="/drawing.svg?untyped" width="200" height="100"></object>',
  ),
  '/growing.html': html(
    'Growing feed',
    '<div id="entries"></div><div id="end">end</div>' +
      script(
        `let next = '/entries.json?after=0'; new IntersectionObserver(async ([seen], self) => { if (!seen.isIntersecting || !next) return; self.unobserve(seen.target); const page = await (await fetch(next)).json(); next = page.next; for (const { text, image } of page.entries) { const box = document.createElement('div'); box.style.height = '700px'; box.innerHTML = '<p>' + text + '</p><img width="64" height="48" src="' + image + '">'; document.querySelector('#entries').append(box); } if (next) self.observe(seen.target); }).observe(document.querySelector('#end'));`,
      ),
  ),
  '/from-the-root.html': html(
    'From the root',
    `${OUT}<iframe srcdoc="<img src='/img/from-the-root.png'>"></iframe>` +
      script(`${SHOW} new Worker('/workers/from-the-root.js').onmessage = (e) => show('outer got ' + e.data);`),
  ),
  '/srcdoc.html': html(
    'Frames without an address',
    `<iframe width="300" height="200" srcdoc="<p>In a frame of its own</p><img src='img/srcdoc.png'><div style='height:900px'></div><img loading='lazy' src='img/srcdoc-lazy.png'>"></iframe>` +
      script(
        `const frame = document.createElement('iframe'); frame.srcdoc = '<p>Made by a script</p><img src="/img/srcdoc-made.png" srcset="/img/srcdoc-made.png 1x, /img/srcdoc-made-2x.png 2x">'; document.body.append(frame);`,
      ),
  ),
};

/** The pages, and what they ask for. */
export function hardRoutes(): Routes {
  return [
    ...streamRoutes(),
    ...Object.entries(PAGES).map(([path, page]): Routes[number] => [path, ({ res }) => send(res, HTML, page)]),
    ...encoded(),
    ...wrongLengths(),
    ['/workers/outer.js', ({ res }) => send(res, 'text/javascript', OUTER_WORKER)],
    [
      '/workers/from-the-root.js',
      ({ res }) => send(res, 'text/javascript', OUTER_WORKER.replace("'inner", "'/workers/inner")),
    ],
    ['/workers/inner.js', ({ res }) => send(res, 'text/javascript', INNER_WORKER)],
    ['/modules/data.json', ({ res }) => send(res, 'application/json', '{"answer":42}')],
    ['/drawing.svg', ({ res }) => send(res, 'image/svg+xml', DRAWING)],
    ['/events/three', threeEvents],
    [
      '/entries.json',
      ({ res, url }) => {
        const number = Number(url.searchParams.get('after')) + 1;
        const entries = [{ text: `Entry ${number}`, image: `/img/entry-${number}.png` }];
        const next = number < ENTRIES ? `/entries.json?after=${number}` : null;
        setTimeout(() => json(res, { entries, next }), ENTRY_MS);
      },
    ],
  ];
}

/** Answers `/socket` with a word for each that it gets. @returns what hangs up on everyone */
export function talk(server: Server): () => void {
  const words = ['one', 'two', 'three'];
  const sockets = new WebSocketServer({ server, path: '/socket' });
  sockets.on('connection', (socket) => {
    let said = 0;
    socket.on('message', () => socket.send(words[said++] ?? `word ${said}`));
  });
  return () => sockets.clients.forEach((socket) => socket.terminate());
}

const OUTER_WORKER = `const inner = new Worker('inner.js'); inner.onmessage = (e) => postMessage(e.data);`;
const INNER_WORKER = `fetch('/api/data.json?q=nested').then((r) => r.text()).then((t) => postMessage('inner got ' + t));`;
const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="200" height="100"><rect width="200" height="100" fill="#8ac"/><image href="/img/in-drawing.png" x="100" y="40" width="64" height="48"/><text x="10" y="30">Drawn in SVG</text></svg>`;

/** The stream stays open after its events, as those of live pages do. */
const threeEvents: Routes[number][1] = ({ res }) => {
  res.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' });
  ['one', 'two', 'three'].forEach((word, i) => setTimeout(() => res.write(`id: ${i + 1}\ndata: ${word}\n\n`), 100 * i));
  const alive = setInterval(() => res.write(': alive\n\n'), 500);
  res.on('close', () => clearInterval(alive));
};

function encoded(): Routes {
  const wide = html('UTF-16', '<p>Grüße, 世界</p><img src="/img/utf16.png">').replace('<meta charset="utf-8">', '');
  const little = Buffer.from(`\ufeff${wide}`, 'utf16le');
  const big = Buffer.from(wide, 'utf16le').swap16();
  const packed = (title: string) => Buffer.from(html(title, `<img src="/img/packed.png">`));
  const as = (encoding: string) => ({ 'content-encoding': encoding });
  return [
    // One says so by its mark, the other by its header.
    ['/utf16le.html', ({ res }) => send(res, 'text/html', little)],
    ['/utf16be.html', ({ res }) => send(res, 'text/html; charset=utf-16be', big)],
    ['/zstd.html', ({ res }) => send(res, HTML, zstd(packed('Zstandard')), 200, as('zstd'))],
    ['/br-page.html', ({ res }) => send(res, HTML, brotliCompressSync(packed('Brotli page')), 200, as('br'))],
  ];
}

function wrongLengths(): Routes {
  const page = html(
    'Wrong lengths',
    OUT +
      '<p>Other lengths than they say</p><img src="/length/less.png"><img src="/length/more.png"><img src="/length/packed.png">' +
      script(
        `${SHOW} (async () => { let text = ''; const { body } = await fetch('/length/less.txt'); try { for await (const part of body.pipeThrough(new TextDecoderStream())) text += part; } catch {} show('read ' + text); })();`,
      ),
  );
  const cutOff = html('Cut off', '<p>Shorter than it says</p><img src="/img/cut-off.png">');
  /** The body, and `more` bytes beyond it in the header: fewer where that is less than nothing. */
  const off = (type: string, body: Buffer, more: number, headers = ''): Routes[number][1] => {
    const head = `HTTP/1.1 200 OK\r\ncontent-type: ${type}\r\n${headers}connection: close\r\ncontent-length: ${body.length + more}\r\n\r\n`;
    return ({ res }) => res.socket?.end(Buffer.concat([Buffer.from(head), body]));
  };
  return [
    ['/wrong-length.html', ({ res }) => send(res, HTML, page)],
    ['/cut-off.html', off(HTML, Buffer.from(cutOff), 500)],
    ['/length/less.png', off('image/png', png('less'), 100)],
    ['/length/more.png', off('image/png', Buffer.concat([png('more'), Buffer.alloc(100)]), -100)],
    ['/length/packed.png', off('image/png', gzipSync(png('packed')), 1_000, 'content-encoding: gzip\r\n')],
    ['/length/less.txt', off('text/plain', Buffer.from('all there is'), 100)],
  ];
}

/** Zstandard without compression: Node 20 can't pack. One frame of raw blocks. RFC 8878, section 3.1. */
function zstd(bytes: Buffer): Buffer {
  const size = Buffer.alloc(8);
  size.writeBigUInt64LE(BigInt(bytes.length));
  // A frame of one segment, whose size is in eight bytes.
  const parts: Buffer[] = [Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0xe0]), size];
  const most = 100_000;
  for (let at = 0; at < bytes.length; at += most) {
    const block = bytes.subarray(at, at + most);
    const isLast = at + most >= bytes.length;
    const header = Buffer.alloc(3);
    header.writeUIntLE((block.length << 3) | (isLast ? 1 : 0), 0, 3);
    parts.push(header, block);
  }
  return Buffer.concat(parts);
}
