/** The view of a profile browser: frames in, mouse, keys, text and addresses out (src/drivers/browser-driver.ts). */
const screen = document.getElementById('screen');
const stage = document.getElementById('stage');
const state = document.getElementById('state');
const address = document.getElementById('address');
const pen = screen.getContext('2d');
const RETRIES = 10;
/** A page as wide as a desktop's can't be read on a stage narrower than this: the page is made as narrow instead. */
const NARROW = 640;
const DESKTOP = { width: 1280, height: 800 };

let socket;
let tries = 0;
let latest = 0;
/** The page that is shown, in its own pixels. A window that it opened may have another size. */
let page = DESKTOP;
let wasNarrow = false;

const send = (event) => {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(event));
};

/** The page as large as the stage allows, and no larger than it is. */
function layOut() {
  const fit = Math.min(1, stage.clientWidth / page.width, stage.clientHeight / page.height);
  screen.style.width = `${page.width * fit}px`;
  screen.style.height = `${page.height * fit}px`;
}

function follow({ width, height }) {
  if (!(width > 0 && height > 0)) return;
  page = { width, height };
  layOut();
}

/** Asks for a page that fits a narrow stage, and for the usual one when there is room again. */
function fitPage() {
  const { clientWidth: width, clientHeight: height } = stage;
  const isNarrow = width < NARROW;
  if (isNarrow || wasNarrow) send({ type: 'resize', ...(isNarrow ? { width, height } : DESKTOP) });
  wasNarrow = isNarrow;
}

async function draw({ data, width, height }) {
  const mine = ++latest;
  const bytes = Uint8Array.from(atob(data), (character) => character.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes]));
  // A frame that was decoded after a newer one is no longer news.
  if (mine === latest) {
    // Setting the size clears the canvas, even where it stays the same.
    if (screen.width !== picture.width) screen.width = picture.width;
    if (screen.height !== picture.height) screen.height = picture.height;
    pen.drawImage(picture, 0, 0);
    follow({ width, height });
    screen.classList.remove('waiting');
    state.textContent = '';
  }
  picture.close();
}

function receive({ data }) {
  const message = JSON.parse(data);
  if (message.msg === 'init') {
    follow(message);
    fitPage();
    tries = 0;
  } else if (message.msg === 'screencast') {
    // An address that is being typed is left alone, and the browser's own error pages have none.
    if (document.activeElement !== address && /^https?:/.test(message.url)) address.value = message.url;
    draw(message).catch(() => {});
  }
}

function connect() {
  const url = new URL('ws', location.href);
  url.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  url.search = location.search;
  socket = new WebSocket(url);
  socket.addEventListener('message', receive);
  socket.addEventListener('close', ({ code }) => {
    const isOver = code === 1000 || tries >= RETRIES;
    state.textContent = isOver ? 'The browser has ended.' : 'Connecting…';
    if (!isOver) setTimeout(connect, 1000 * 2 ** tries++);
  });
}

const modifiersOf = (event) =>
  (event.altKey ? 1 : 0) | (event.ctrlKey ? 2 : 0) | (event.metaKey ? 4 : 0) | (event.shiftKey ? 8 : 0);

/** Where on the page the pointer is, whatever size the page is shown at. */
function position(event) {
  const box = screen.getBoundingClientRect();
  const within = (share, size) => Math.min(Math.max(share, 0), 1) * size;
  return {
    x: within((event.clientX - box.left) / box.width, page.width),
    y: within((event.clientY - box.top) / box.height, page.height),
  };
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
  const isCommand = event.ctrlKey || event.metaKey;
  const name = event.key.toLowerCase();
  // Pasting brings its text in an event of its own.
  if (isCommand && name === 'v') return;
  event.preventDefault();
  if (event.key === 'F6' || (isCommand && name === 'l')) {
    if (action === 'keyDown') address.select();
    return;
  }
  const isText = event.key.length === 1 && !isCommand;
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
  if (text && document.activeElement !== address) send({ type: 'text', text });
});

for (const button of document.querySelectorAll('[data-go]')) {
  button.addEventListener('click', () => {
    send({ type: 'go', to: button.dataset.go });
    screen.focus();
  });
}
document.getElementById('bar').addEventListener('submit', (event) => {
  event.preventDefault();
  const typed = address.value.trim();
  if (!typed) return;
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(typed) ? typed : `https://${typed}`;
  if (!URL.canParse(url)) {
    state.textContent = 'This is not an address.';
    return;
  }
  send({ type: 'navigate', url });
  screen.focus();
});
address.addEventListener('focus', () => address.select());

new ResizeObserver(() => {
  layOut();
  fitPage();
}).observe(stage);
screen.classList.add('waiting');
connect();
screen.focus();
