import type { IncomingMessage } from 'node:http';
import { declaredFields } from './model.js';
import type { Issue } from './issue.js';
import type { ModelClass } from './field-type.js';

/** Larger bodies are lists of seeds; reading those twice is worth nothing. */
const MAX_BYTES = 256 * 1024;
/** Inside a text the quotes would be escaped: this finds keys alone. */
const KEY_WITH_DECIMAL = /"(\w+)"\s*:\s*-?\d+(?=[.eE])/g;

const noted = new WeakMap<IncomingMessage, ReadonlySet<string>>();

/** Notes the keys of a JSON body whose number is written as `2.0` or `2e0`: once parsed, it looks like an integer. */
export function noteDecimals(request: IncomingMessage, _response: unknown, body: Buffer): void {
  if (body.length > MAX_BYTES) return;
  const keys = new Set([...body.toString('utf8').matchAll(KEY_WITH_DECIMAL)].map(([, key]) => key ?? ''));
  if (keys.size > 0) noted.set(request, keys);
}

/** Fields that take integers and nothing else, but were given as decimals. Contract: crawling §1.3. */
export function decimalsForIntegers(model: ModelClass, request: IncomingMessage, body: object): Issue[] {
  const keys = noted.get(request);
  if (!keys) return [];
  return declaredFields(model).flatMap(({ name, type }) => {
    const input = (body as Record<string, unknown>)[name];
    if (!type.isStrictInteger || !keys.has(name) || !Number.isInteger(input)) return [];
    return [{ type: 'int_type', loc: [name], msg: 'Input should be a valid integer', input }];
  });
}
