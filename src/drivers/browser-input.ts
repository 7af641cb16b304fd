import type { InputEvent } from '../../crawler/protocol.js';

/** Greatest length of a text that is typed at once. */
const MAX_TEXT = 10_000;
const MAX_PIXELS = 10_000;

const MOUSE_ACTIONS = ['mousePressed', 'mouseReleased', 'mouseMoved', 'mouseWheel'] as const;
const KEY_ACTIONS = ['keyDown', 'keyUp'] as const;
const DIRECTIONS = ['back', 'forward', 'reload'] as const;
const BUTTONS = ['none', 'left', 'middle', 'right', 'back', 'forward'] as const;

/**
 * Reads what a person's page sent. Null for anything that is no input event. The event is built field by field, so that
 * nothing else passes.
 */
export function readInput(text: string): InputEvent | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null) return null;
  const fields = value as Record<string, unknown>;
  switch (fields.type) {
    case 'mouse':
      return readMouse(fields);
    case 'key':
      return readKey(fields);
    case 'text':
      return isText(fields.text) ? { type: 'text', text: fields.text } : null;
    case 'go': {
      const to = DIRECTIONS.find((name) => name === fields.to);
      return to ? { type: 'go', to } : null;
    }
    case 'navigate':
      return isText(fields.url) ? { type: 'navigate', url: fields.url } : null;
    case 'resize':
      return isPixels(fields.width) && isPixels(fields.height)
        ? { type: 'resize', width: fields.width, height: fields.height }
        : null;
    default:
      return null;
  }
}

function readMouse(fields: Record<string, unknown>): InputEvent | null {
  const action = MOUSE_ACTIONS.find((name) => name === fields.action);
  if (!action || !isPixels(fields.x) || !isPixels(fields.y)) return null;
  const button = BUTTONS.find((name) => name === fields.button);
  return {
    type: 'mouse',
    action,
    x: fields.x,
    y: fields.y,
    ...(button ? { button } : {}),
    ...numbers(fields, ['buttons', 'clickCount', 'deltaX', 'deltaY', 'modifiers']),
  };
}

function readKey(fields: Record<string, unknown>): InputEvent | null {
  const action = KEY_ACTIONS.find((name) => name === fields.action);
  if (!action || !isText(fields.key) || !isText(fields.code)) return null;
  return {
    type: 'key',
    action,
    key: fields.key,
    code: fields.code,
    ...(isText(fields.text) ? { text: fields.text } : {}),
    ...numbers(fields, ['keyCode', 'modifiers']),
  };
}

function numbers(fields: Record<string, unknown>, names: readonly string[]): Record<string, number> {
  return Object.fromEntries(names.flatMap((name) => (isNumber(fields[name]) ? [[name, fields[name]]] : [])));
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.length <= MAX_TEXT;
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isPixels(value: unknown): value is number {
  return isNumber(value) && value >= 0 && value <= MAX_PIXELS;
}
