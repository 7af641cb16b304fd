import type { CDPSession } from 'playwright-core';
import type { InputEvent } from '../protocol.js';

/** Text of keys that act through it, for senders that leave it out. */
const KEY_TEXT: Readonly<Record<string, string>> = { Enter: '\r', Tab: '\t', ' ': ' ' };

/** Windows virtual key codes. Chromium edits and navigates by these, not by the key's name. */
const KEY_CODES: Readonly<Record<string, number>> = {
  Backspace: 8,
  Tab: 9,
  Enter: 13,
  Escape: 27,
  ' ': 32,
  PageUp: 33,
  PageDown: 34,
  End: 35,
  Home: 36,
  ArrowLeft: 37,
  ArrowUp: 38,
  ArrowRight: 39,
  ArrowDown: 40,
  Delete: 46,
};

/** Repeats a person's action in the view on the page. */
export async function dispatchInput(
  session: CDPSession,
  event: Exclude<InputEvent, { type: 'resize' | 'go' | 'navigate' }>,
): Promise<void> {
  switch (event.type) {
    case 'mouse': {
      const { action, x, y, button = 'none', buttons, clickCount, deltaX = 0, deltaY = 0, modifiers = 0 } = event;
      await session.send('Input.dispatchMouseEvent', {
        type: action,
        x,
        y,
        button,
        modifiers,
        clickCount: clickCount ?? (action === 'mousePressed' || action === 'mouseReleased' ? 1 : 0),
        ...(buttons !== undefined ? { buttons } : {}),
        ...(action === 'mouseWheel' ? { deltaX, deltaY } : {}),
      });
      return;
    }
    case 'key':
      return dispatchKey(session, event);
    case 'text':
      await session.send('Input.insertText', { text: event.text });
      return;
  }
}

async function dispatchKey(session: CDPSession, event: Extract<InputEvent, { type: 'key' }>): Promise<void> {
  const { action, key, code, modifiers = 0 } = event;
  const text = action === 'keyDown' ? (event.text ?? KEY_TEXT[key]) : undefined;
  const keyCode = event.keyCode ?? KEY_CODES[key] ?? (key.length === 1 ? key.toUpperCase().charCodeAt(0) : 0);
  await session.send('Input.dispatchKeyEvent', {
    // Without text it must be a raw key, because otherwise Chromium types the key's name.
    type: action === 'keyUp' ? 'keyUp' : text === undefined ? 'rawKeyDown' : 'keyDown',
    key,
    code,
    modifiers,
    windowsVirtualKeyCode: keyCode,
    nativeVirtualKeyCode: keyCode,
    ...(text !== undefined ? { text, unmodifiedText: text } : {}),
  });
}
