/** The view of a profile browser: frames in, mouse, keys and pasted text out (src/drivers/browser-driver.ts). */
const screen = document.getElementById('screen');
const state = document.getElementById('state');
const pen = screen.getContext('2d');
const RETRIES = 10;

let socket;
let tries = 0;
let latest = 0;

const send = (event) => {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(event));
};

async function draw(data) {
  const mine = ++latest;
  const type = data.startsWith('iVBOR') ? 'image/png' : 'image/jpeg';
  const picture = await createImageBitmap(await (await fetch(`data:${type};base64,${data}`)).blob());
  // A frame that was decoded after a newer one is no longer news.
  if (mine === latest) pen.drawImage(picture, 0, 0, screen.width, screen.height);
  picture.close();
}

function receive({ data }) {
  const message = JSON.parse(data);
  if (message.msg === 'init') {
    screen.width = message.width;
    screen.height = message.height;
    state.textContent = '';
    tries = 0;
  } else if (message.msg === 'screencast') {
    draw(message.data).catch(() => {});
  }
}

function connect() {
  const address = new URL('ws', location.href);
  address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  address.search = location.search;
  socket = new WebSocket(address);
  socket.addEventListener('message', receive);
  socket.addEventListener('close', ({ code }) => {
    state.textContent = code === 1000 ? 'The browser has ended.' : 'Connecting…';
    if (code !== 1000 && tries < RETRIES) setTimeout(connect, 1000 * 2 ** tries++);
  });
}

const modifiersOf = (event) =>
  (event.altKey ? 1 : 0) | (event.ctrlKey ? 2 : 0) | (event.metaKey ? 4 : 0) | (event.shiftKey ? 8 : 0);

/** Where on the page the pointer is: the canvas keeps the frame's shape inside its own box. */
function position(event) {
  const box = screen.getBoundingClientRect();
  const scale = Math.min(box.width / screen.width, box.height / screen.height);
  return { x: (event.clientX - box.left) / scale, y: (event.clientY - box.top) / scale };
}

const BUTTONS = ['left', 'middle', 'right', 'back', 'forward'];

function mouse(action, event, extra = {}) {
  event.preventDefault();
  const button = action === 'mouseMoved' && event.buttons === 0 ? 'none' : (BUTTONS[event.button] ?? 'left');
  send({
    type: 'mouse',
    action,
    ...position(event),
    button,
    buttons: event.buttons,
    modifiers: modifiersOf(event),
    ...extra,
  });
}

function key(action, event) {
  // Pasting brings its text in an event of its own.
  if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'v') return;
  event.preventDefault();
  const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey;
  const text = action === 'keyUp' ? undefined : isText ? event.key : event.key === 'Enter' ? '\r' : undefined;
  const { key, code, keyCode } = event;
  send({ type: 'key', action, key, code, keyCode, text, modifiers: modifiersOf(event) });
}

screen.addEventListener('mousedown', (event) => {
  screen.focus();
  mouse('mousePressed', event, { clickCount: event.detail || 1 });
});
screen.addEventListener('mouseup', (event) => mouse('mouseReleased', event, { clickCount: event.detail || 1 }));
screen.addEventListener('mousemove', (event) => mouse('mouseMoved', event));
screen.addEventListener('contextmenu', (event) => event.preventDefault());
screen.addEventListener(
  'wheel',
  (event) => mouse('mouseWheel', event, { deltaX: event.deltaX, deltaY: event.deltaY }),
  { passive: false },
);
screen.addEventListener('keydown', (event) => key('keyDown', event));
screen.addEventListener('keyup', (event) => key('keyUp', event));
window.addEventListener('paste', (event) => {
  const text = event.clipboardData?.getData('text');
  if (text) send({ type: 'text', text });
});

connect();
screen.focus();
