import type { OpenAPIObject } from '@nestjs/swagger';
import { refused } from './refused.dto.js';
import { LISTED_WITH_SLASH } from './returns.js';

interface Operation {
  readonly parameters?: { in: string; name: string; deprecated?: boolean; schema: object }[];
  readonly requestBody?: object;
  readonly responses: Record<string, object>;
  readonly [LISTED_WITH_SLASH]?: boolean;
}
type Paths = Record<string, Record<string, Operation>>;

/** Guards read the org of the path, so few handlers declare it. A deprecated parameter is marked in its schema too. */
function allParameters(path: string, { parameters = [] }: Operation) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const undeclared = names.filter((name) => !parameters.some((known) => known.in === 'path' && known.name === name));
  const schemaOf = (name: string) => (name === 'oid' ? { type: 'string', format: 'uuid' } : { type: 'string' });
  return [
    ...undeclared.map((name) => ({ name, in: 'path', required: true, schema: schemaOf(name) })),
    ...parameters.map((known) => ({ ...known, schema: { ...known.schema, deprecated: known.deprecated } })),
  ];
}

function completed(path: string, method: string, { [LISTED_WITH_SLASH]: _, ...operation }: Operation): Operation {
  const parameters = allParameters(path, operation);
  // A preflight request has no input.
  const hasInput = (parameters.length > 0 || operation.requestBody !== undefined) && method !== 'options';
  // 201 is the compiler plugin's guess for every POST.
  const { 201: created, ...responses } = operation.responses;
  const isGuess = '200' in responses || '202' in responses;
  return {
    ...operation,
    parameters,
    responses: {
      ...responses,
      ...(created && !isGuess ? { 201: created } : {}),
      ...(hasInput ? { 422: refused } : {}),
    },
  };
}

function pathsOf(paths: Paths): Paths {
  const written: Paths = {};
  for (const [path, operations] of Object.entries(paths))
    for (const [method, operation] of Object.entries(operations))
      (written[operation[LISTED_WITH_SLASH] ? `${path}/` : path] ??= {})[method] = completed(path, method, operation);
  return written;
}

const REFERENCE = /"#\/components\/schemas\/([^"]+)"/g;
const referencesOf = (part: unknown): string[] =>
  [...JSON.stringify(part).matchAll(REFERENCE)].map(([, name = '']) => name);

/** The schemas that a document refers to, by name. */
function inUse(schemas: Record<string, object>, roots: object): Record<string, object> {
  const names = new Set(referencesOf(roots));
  for (const name of names) referencesOf(schemas[name]).forEach((inner) => names.add(inner));
  return Object.fromEntries([...names].sort().map((name) => [name, schemas[name] ?? {}]));
}

/** Adds what the contract's document says and @nestjs/swagger cannot, and removes leftovers of it. */
export function contractForm({ components = {}, ...document }: OpenAPIObject): OpenAPIObject {
  const routed = { ...document, paths: pathsOf(document.paths as unknown as Paths) };
  const whole = { ...routed, components: { ...components, schemas: inUse(components.schemas ?? {}, routed) } };
  const withoutEmptyType = (key: string, value: unknown): unknown =>
    key === 'type' && value === '' ? undefined : value;
  return JSON.parse(JSON.stringify(whole, withoutEmptyType)) as OpenAPIObject;
}
