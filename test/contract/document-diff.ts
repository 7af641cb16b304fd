/** What of two OpenAPI documents clients can notice, compared: prose is left out, order means nothing. */
type Json = unknown;
type Obj = Record<string, Json>;

const PROSE = new Set(['description', 'summary', 'title', 'operationId', 'examples', 'example']);

const isObj = (value: Json): value is Obj => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Canonical form: prose dropped, keys and unordered lists sorted. `inProperties` keeps fields named like prose. */
function canonical(value: Json, inProperties = false): Json {
  if (Array.isArray(value)) return value.map((entry) => canonical(entry));
  if (!isObj(value)) return value;
  const entries = Object.entries(value).filter(([key]) => inProperties || !PROSE.has(key));
  return Object.fromEntries(
    entries
      .map(([key, entry]): [string, Json] => {
        if ((key === 'required' || key === 'tags') && Array.isArray(entry))
          return [key, [...new Set(entry as string[])].sort()];
        if (key === 'anyOf' && Array.isArray(entry))
          return [key, entry.map((e) => canonical(e)).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1))];
        return [key, canonical(entry, key === 'properties')];
      })
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

const same = (a: Json, b: Json): boolean => JSON.stringify(canonical(a)) === JSON.stringify(canonical(b));
const show = (value: Json): string => (value === undefined ? 'absent' : JSON.stringify(canonical(value)));

function operationsOf(document: Obj): Map<string, Obj> {
  const operations = new Map<string, Obj>();
  for (const [path, methods] of Object.entries(document['paths'] as Record<string, Obj>))
    for (const [method, operation] of Object.entries(methods))
      operations.set(`${method.toUpperCase()} ${path}`, operation as Obj);
  return operations;
}

const parametersOf = (operation: Obj): Map<string, Json> =>
  new Map(
    ((operation['parameters'] as Obj[] | undefined) ?? []).map((p) => [`${String(p['in'])} ${String(p['name'])}`, p]),
  );

function compareMaps(where: string, ours: Map<string, Json>, theirs: Map<string, Json>): string[] {
  const differences: string[] = [];
  for (const key of new Set([...ours.keys(), ...theirs.keys()])) {
    const [a, b] = [ours.get(key), theirs.get(key)];
    if (!same(a, b)) differences.push(`${where} · ${key} · ours ${show(a)} · contract ${show(b)}`);
  }
  return differences;
}

function compareOperation(name: string, ours: Obj, theirs: Obj): string[] {
  const rest = (operation: Obj): Map<string, Json> =>
    new Map(['tags', 'security', 'requestBody', 'deprecated'].map((key) => [key, { [key]: operation[key] }]));
  const responses = (operation: Obj): Map<string, Json> =>
    new Map(Object.entries(operation['responses'] as Obj).map(([status, r]) => [`response ${status}`, r]));
  return [
    ...compareMaps(name, parametersOf(ours), parametersOf(theirs)),
    ...compareMaps(name, rest(ours), rest(theirs)),
    ...compareMaps(name, responses(ours), responses(theirs)),
  ];
}

const schemasOf = (document: Obj): Record<string, Obj> =>
  ((document['components'] as Obj)['schemas'] ?? {}) as Record<string, Obj>;

function compareSchemas(ours: Obj, theirs: Obj): string[] {
  const [a, b] = [schemasOf(ours), schemasOf(theirs)];
  return Object.keys(a).flatMap((name) => {
    const theirSchema = b[name];
    if (!theirSchema) return [`schema ${name} · not in the contract`];
    const { properties: ourFields = {}, ...ourRest } = a[name] ?? {};
    const { properties: theirFields = {}, ...theirRest } = theirSchema;
    return [
      ...compareMaps(
        `schema ${name}`,
        new Map(Object.entries(ourFields as Obj)),
        new Map(Object.entries(theirFields as Obj)),
      ),
      ...compareMaps(`schema ${name}`, new Map([['itself', ourRest]]), new Map([['itself', theirRest]])),
    ];
  });
}

export interface DocumentComparison {
  /** Operations of the contract that exist. */
  readonly covered: number;
  readonly total: number;
  /** `METHOD path` of contract operations that don't exist. */
  readonly missing: string[];
  /** Each difference in words that are stable as long as it stays the same. */
  readonly differences: string[];
}

export function compareDocuments(ours: Obj, contract: Obj): DocumentComparison {
  const [mine, wanted] = [operationsOf(ours), operationsOf(contract)];
  const missing = [...wanted.keys()].filter((name) => !mine.has(name));
  const differences = [...mine].flatMap(([name, operation]) => {
    const theirs = wanted.get(name);
    return theirs ? compareOperation(name, operation, theirs) : [`${name} · not in the contract`];
  });
  const webhooks = compareMaps(
    'webhooks',
    new Map(Object.entries((ours['webhooks'] ?? {}) as Obj)),
    new Map(Object.entries((contract['webhooks'] ?? {}) as Obj)),
  );
  return {
    covered: wanted.size - missing.length,
    total: wanted.size,
    missing,
    differences: [...differences, ...webhooks, ...compareSchemas(ours, contract)],
  };
}
