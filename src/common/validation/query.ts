import { declaredFields, parseModel } from './model.js';
import { accept, type Parsed } from './issue.js';
import type { ModelClass } from './field-type.js';

type RawQuery = Record<string, string | string[] | undefined>;

const lastOf = (value: string | string[]): string | undefined => (Array.isArray(value) ? value.at(-1) : value);

/**
 * Reads query parameters: lists are repeated keys, or comma-separated where their values cannot hold a comma; an empty
 * list value is no value; of a repeated scalar the last counts. Contract: crawling §1.3.
 */
export function parseQuery<T extends object>(model: ModelClass<T>, raw: RawQuery): Parsed<T> {
  const source: Record<string, unknown> = {};
  for (const field of declaredFields(model)) {
    const value = raw[field.name];
    if (value === undefined) continue;
    if (!field.type.isList) {
      source[field.name] = lastOf(value);
      continue;
    }
    const given = Array.isArray(value) ? value : [value];
    const values = (field.type.splitsCommas ? given.flatMap((text) => text.split(',')) : given).filter((v) => v !== '');
    if (values.length > 0) source[field.name] = values;
  }
  const parsed = parseModel(model, source);
  if (parsed.ok) return accept(parsed.value);
  // A missing query parameter has no parent to show.
  return {
    ok: false,
    issues: parsed.issues.map((issue) => (issue.type === 'missing' ? { ...issue, input: null } : issue)),
  };
}
