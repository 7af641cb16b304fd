import type { OpenAPIObject } from '@nestjs/swagger';
import { ACCESS_EXTENSION, type Access } from '../access/access.js';
import { own } from '../objects/own.js';
import { errorResponses } from './declared-errors.js';
import { operationName } from './operation-names.js';
import { refused } from './refused.dto.js';
import { LISTED_WITH_SLASH } from './returns.js';
import { SHARED_WORDS } from './shared-words.js';

interface Operation {
  /** `Controller.method`, as `document.ts` has it written. */
  readonly operationId: string;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly object[];
  readonly parameters?: { in: string; name: string; deprecated?: boolean; schema: object }[];
  readonly requestBody?: object;
  readonly responses: Record<string, { description?: string }>;
  readonly [LISTED_WITH_SLASH]?: boolean;
  readonly [ACCESS_EXTENSION]?: Access;
}
type Paths = Record<string, Record<string, Operation>>;

/** Guards read the org of the path, so few handlers declare it. A deprecated parameter is marked in its schema too. */
function allParameters(path: string, { parameters = [] }: Operation) {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const undeclared = names.filter((name) => !parameters.some((known) => known.in === 'path' && known.name === name));
  const known = (name: string) => ({
    description: own(SHARED_WORDS, name),
    schema: { type: 'string', ...(name === 'oid' ? { format: 'uuid' } : {}) },
  });
  return [
    ...undeclared.map((name) => ({ name, in: 'path', required: true, ...known(name) })),
    ...parameters.map((known) => ({ ...known, schema: { ...known.schema, deprecated: known.deprecated } })),
  ];
}

const SENTENCE_END = /(?<!\b(?:e\.g|i\.e))\.\s+(?=[A-Z`0-9])/;

/** The first sentence of the handler's comment is the summary, all of it the description. */
function words({ summary }: Operation): { summary?: string; description?: string } {
  if (summary === undefined) return {};
  const text = summary.replace(/\s+/g, ' ');
  const [first = text] = text.split(SENTENCE_END);
  return { summary: first.replace(/\.$/, ''), description: text };
}

/** The compiler plugin guesses 200, and 201 for every POST, beside what handlers declare. */
function withoutGuesses(responses: Operation['responses']): Operation['responses'] {
  const declared = Object.entries(responses).filter(([, { description }]) => description !== '');
  return declared.some(([status]) => status.startsWith('2')) ? Object.fromEntries(declared) : responses;
}

function completed(path: string, method: string, operation: Operation): Omit<Operation, typeof ACCESS_EXTENSION> {
  const { [LISTED_WITH_SLASH]: _, [ACCESS_EXTENSION]: access, ...kept } = operation;
  const [controller = '', handler = ''] = operation.operationId.split('.');
  const parameters = allParameters(path, operation);
  const hasBody = operation.requestBody !== undefined;
  // A preflight request has no input.
  const hasInput = (parameters.length > 0 || hasBody) && method !== 'options';
  return {
    ...kept,
    ...words(operation),
    operationId: operationName(controller, handler),
    // Generators make a class of each tag. An operation in two of them would be there twice.
    tags: operation.tags?.slice(0, 1),
    // Said, that nobody takes it for forgotten.
    security: operation.security ?? [],
    parameters,
    responses: {
      ...withoutGuesses(operation.responses),
      ...errorResponses({ handler: operation.operationId, access, hasBody }),
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

interface Schema {
  readonly $ref?: unknown;
  readonly anyOf?: unknown;
  readonly type?: unknown;
  readonly default?: unknown;
}

/** Generators leave out a whole schema for a field whose default is an object. A map of fields may name one `default`. */
function withoutModelDefault(value: Schema): Schema {
  const isSchema = typeof value.$ref === 'string' || typeof value.type === 'string' || Array.isArray(value.anyOf);
  const { default: shown, ...rest } = value;
  return isSchema && typeof shown === 'object' && !Array.isArray(shown) ? rest : value;
}

/** Generators read a reference with something beside it as nothing, or leave out what is beside it. */
function aloneOrWrapped(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const { $ref, ...beside } = withoutModelDefault(value) as Schema;
  if ($ref === undefined) return beside;
  return Object.keys(beside).length === 0 ? { $ref } : { allOf: [{ $ref }], ...beside };
}

/** Webhooks by reference: generators of clients, which have no use for them, do not look there. */
function webhooksAside({ webhooks = {}, components, ...document }: OpenAPIObject): OpenAPIObject {
  const names = Object.keys(webhooks);
  const references = names.map((name) => [name, { $ref: `#/components/pathItems/${name}` }]);
  return {
    ...document,
    webhooks: Object.fromEntries(references) as OpenAPIObject['webhooks'],
    components: { ...components, pathItems: webhooks } as OpenAPIObject['components'],
  };
}

const tidied = (key: string, value: unknown): unknown =>
  key === 'type' && value === '' ? undefined : aloneOrWrapped(value);

/** Adds what the contract's document says and @nestjs/swagger cannot, and removes leftovers of it. */
export function contractForm({ components = {}, ...document }: OpenAPIObject): OpenAPIObject {
  const routed = { ...document, paths: pathsOf(document.paths as unknown as Paths) };
  const whole = { ...routed, components: { ...components, schemas: inUse(components.schemas ?? {}, routed) } };
  return JSON.parse(JSON.stringify(JSON.parse(JSON.stringify(webhooksAside(whole))), tidied)) as OpenAPIObject;
}
