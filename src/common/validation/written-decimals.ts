import type { IncomingMessage } from 'node:http';
import { declaredFields } from './declared-fields.js';
import type { Issue } from './issue.js';
import type { ModelClass } from './kind.js';

/** Larger bodies are lists of seeds. Scanning those twice is not worth the time. */
const MAX_BYTES = 256 * 1024;
/** Quotes inside a text are escaped, so this finds keys only. */
const KEY_WITH_DECIMAL = /"(\w+)"\s*:\s*-?\d+(?=[.eE])/g;

const noted = new WeakMap<object, ReadonlySet<string>>();

/** Notes the keys of a JSON body whose number is written as `2.0` or `2e0`. Parsed numbers no longer show it. */
export function noteDecimals(request: IncomingMessage, _response: unknown, body: Buffer): void {
  if (body.length > MAX_BYTES) return;
  const keys = new Set([...body.toString('utf8').matchAll(KEY_WITH_DECIMAL)].map(([, key]) => key ?? ''));
  if (keys.size > 0) noted.set(request, keys);
}

/** Attaches the noted keys to the body once it is parsed. */
export function handOverDecimals(request: IncomingMessage & { body?: unknown }): void {
  const keys = noted.get(request);
  if (keys && typeof request.body === 'object' && request.body !== null) noted.set(request.body, keys);
}

/** Faults of fields that take only integers but were given decimals. Contract: crawling §1.3. */
export function decimalsForIntegers(model: ModelClass, body: Record<string, unknown>): Issue[] {
  const keys = noted.get(body);
  if (!keys) return [];
  return declaredFields(model).flatMap(({ name, kind }) => {
    const input = body[name];
    if (!kind.isStrictInteger || !keys.has(name) || !Number.isInteger(input)) return [];
    return [{ type: 'int_type', loc: [name], msg: 'Input should be a valid integer', input }];
  });
}
