import { declaredFields } from './declared-fields.js';
import type { ModelClass } from './kind.js';

type RawQuery = Record<string, string | string[] | undefined>;

const lastOf = (value: string | string[]): string | undefined => (Array.isArray(value) ? value.at(-1) : value);

/**
 * Turns query parameters into a body. Lists are repeated keys, or comma-separated where their values cannot hold a
 * comma. An empty list value is no value, and of a repeated scalar the last counts. Contract: crawling §1.3.
 */
export function queryBody(model: ModelClass, raw: RawQuery): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const { name, kind } of declaredFields(model)) {
    const value = raw[name];
    if (value === undefined) continue;
    if (!kind.isList) {
      body[name] = lastOf(value);
      continue;
    }
    const given = Array.isArray(value) ? value : [value];
    const values = (kind.splitsCommas ? given.flatMap((text) => text.split(',')) : given).filter((v) => v !== '');
    if (values.length > 0) body[name] = values;
  }
  return body;
}
